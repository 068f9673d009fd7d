import FoundationEssentials
import VitrineImaging

let bytes = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let info = try ImageInfo(probing: bytes)  // reads the header only
print(info.format, info.pixelSize, info.hasAlpha ? "with alpha" : "opaque")

let options = DecodeOptions(targetSize: .maximum(800))
let image = try RasterImage(decoding: bytes, options: options)  // upright, sRGB
let badge = try image.applying(.fill(width: 200, height: 200), .roundedCorners(radius: 24))
try badge.encoded(as: .png).write(to: URL(filePath: CommandLine.arguments[2]))
