import FoundationEssentials
import Glibc
import VitrineImaging

/// A program that knows nothing of libvips: `thumbnail-host FILE`.
///
/// It asks which formats can be decoded, probes the file and makes it small, and prints whether the module
/// has loaded libvips for that, and whether it has started it.
@main
struct ThumbnailHost {
    static func main() throws {
        let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
        print(RasterFormat.decodable.contains(.jpeg) ? "decodable" : "not decodable")
        _ = try ImageInfo(probing: data)
        _ = try RasterImage(
            decoding: data, options: DecodeOptions(targetSize: .fit(width: 8, height: 8)))
        print(dlopen("libvips.so.42", RTLD_LAZY | RTLD_NOLOAD) == nil ? "not loaded" : "loaded")
        do throws(ImagingError) {
            try ImagingRuntime.configure(ImagingRuntime())
            print("in time")
        } catch {
            print(error == .engineAlreadyStarted ? "too late" : "\(error)")
        }
    }
}
