import FoundationEssentials
import VitrineImaging

@main
struct UseImaging {
    static func main() async throws {
        let bytes = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
        let info = try ImageInfo(probing: bytes, limits: DecodeLimits())
        print("UseImaging:", info.format, info.pixelSize)
        let options = DecodeOptions(targetSize: .fit(width: 40, height: 40))
        let image = try RasterImage(decoding: bytes, options: options).applying(.circle)
        print(image.posterFrame.isOpaque, try await image.frame(at: 0).byteCount)
        print(try image.encoded(as: .jpeg).count > 100)
        do {
            _ = try RasterImage(decoding: Data("no picture".utf8))
        } catch {
            if case .notAnImage(let found) = error { print(found) }
        }
    }
}
