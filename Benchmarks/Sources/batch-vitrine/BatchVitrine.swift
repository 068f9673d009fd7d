import FoundationEssentials
import Glibc
import VitrineImaging

/// Decodes pictures to fit into 400 × 300 and writes each as a PPM file, some at a time.
///
/// Arguments: folder to write to, how many in all, how many at a time, pictures, which are taken in turns.
@main
enum BatchVitrine {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 3, let count = Int(arguments[1]), let workers = Int(arguments[2])
        else { exit(2) }
        let paths = Array(arguments[3...])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                // Blocks threads of Swift's pool, which has nothing else to do here.
                group.addTask {
                    for index in stride(from: worker, to: count, by: workers) {
                        try thumbnail(paths[index % paths.count], into: arguments[0])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func thumbnail(_ path: String, into folder: String) throws {
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
