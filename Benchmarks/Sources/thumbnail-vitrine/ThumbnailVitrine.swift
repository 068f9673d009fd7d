import FoundationEssentials
import Glibc
import VitrineImaging

/// Decodes each picture to fit into 400 × 300 and writes that as a PPM file.
///
/// Arguments: folder to write to, pictures.
@main
enum ThumbnailVitrine {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let folder = paths.first else { exit(2) }
        let options = DecodeOptions(targetSize: .fit(width: 400, height: 300))
        for path in paths.dropFirst() {
            let url = URL(filePath: path)
            let image = try RasterImage(decoding: Data(contentsOf: url), options: options)
            let name = url.deletingPathExtension().lastPathComponent
            try ppm(image.posterFrame).write(to: URL(filePath: "\(folder)/\(name).ppm"))
        }
    }

    /// Without alpha: a photo has none.
    private static func ppm(_ frame: PixelBuffer) -> Data {
        let pixels = frame.byteCount / 4
        let header = Array("P6\n\(frame.size.width) \(frame.size.height)\n255\n".utf8)
        let file = [UInt8](unsafeUninitializedCapacity: header.count + pixels * 3) { file, count in
            count = file.update(fromContentsOf: header)
            frame.withUnsafeBytes { source in
                for pixel in 0..<pixels {
                    for channel in 0..<3 { file[count + channel] = source[pixel * 4 + channel] }
                    count += 3
                }
            }
        }
        return Data(file)
    }
}
