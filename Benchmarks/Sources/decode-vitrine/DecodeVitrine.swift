import FoundationEssentials
import Glibc
import VitrineImaging

/// Decodes a picture to RGBA as often as told. Arguments: file, count.
@main
enum DecodeVitrine {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 3, let count = Int(words[2]) else { exit(2) }
        let data = try Data(contentsOf: URL(filePath: words[1]))
        for _ in 0..<count {
            let image = try RasterImage(decoding: data)
            guard image.pixelSize.width > 1000 else { exit(1) }
        }
    }
}
