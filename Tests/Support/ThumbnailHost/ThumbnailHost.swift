import FoundationEssentials
import Glibc
import VitrineImaging

/// A program that knows nothing of libvips:
///
///     thumbnail-host FILE                 what it does to make a file small
///     thumbnail-host modules FILE…        which modules of libvips each file needs, one after another
///     thumbnail-host at-once FILE…        the same when several threads decode each at the same time
///     thumbnail-host all-modules FILE…    the same when libvips is to have all of them
@main
struct ThumbnailHost {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "all-modules":
            try ImagingRuntime.configure(ImagingRuntime(defersModules: false))
            try ModuleUse.oneByOne(words.dropFirst())
        case "modules": try ModuleUse.oneByOne(words.dropFirst())
        case "at-once": try ModuleUse.atOnce(words.dropFirst())
        default: try thumbnail(words[0])
        }
    }

    /// Asks which formats can be decoded, probes the file and makes it small, and prints whether the module
    /// has loaded libvips for that, and whether it has started it.
    private static func thumbnail(_ path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
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
