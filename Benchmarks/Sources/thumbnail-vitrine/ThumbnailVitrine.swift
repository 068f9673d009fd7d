import Glibc
import thumbnails

/// Makes a thumbnail of each picture.
///
/// Arguments: folder to write to, pictures.
@main
enum ThumbnailVitrine {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let folder = paths.first else { exit(2) }
        for path in paths.dropFirst() { try Thumbnail.make(of: path, into: folder) }
    }
}
