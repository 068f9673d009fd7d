import FoundationEssentials
import VitrineImaging

/// What the programs that make thumbnails have in common.
public enum Thumbnail {
    /// Decodes a picture to fit into 400 × 300 and writes it into `folder` as a PPM file.
    public static func make(of path: String, into folder: String) throws {
        let url = URL(filePath: path)
        let image = try RasterImage(
            decoding: Data(contentsOf: url),
            options: DecodeOptions(targetSize: .fit(width: 400, height: 300)))
        let name = url.deletingPathExtension().lastPathComponent
        try ppm(image.posterFrame).write(to: URL(filePath: "\(folder)/\(name).ppm"))
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
