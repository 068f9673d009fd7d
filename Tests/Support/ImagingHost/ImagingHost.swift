import CVips
import FoundationEssentials
import VitrineImaging

/// A program that uses libvips itself: `imaging-host FILE [none]`.
///
/// With `none` it tells the module to leave libvips' settings alone. It probes the file, and prints what
/// the settings of the process are then.
@main
struct ImagingHost {
    static func main() throws {
        guard vips_init("host") == 0 else { return }
        vips_concurrency_set(3)
        vips_cache_set_max(77)
        let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
        if CommandLine.arguments.dropFirst(2).first == "none" {
            try ImagingRuntime.configure(
                ImagingRuntime(
                    setsBlockList: false, limitsConcurrency: false, disablesCache: false,
                    silencesLog: false))
        }
        let info = try ImageInfo(probing: data, limits: DecodeLimits(allowsSVG: true))
        print("probed", info.pixelSize.width)
        print("threads", vips_concurrency_get())
        print("cache", vips_cache_get_max())
        print("magick", isOpen("magickload_buffer") ? "open" : "shut")
        print("svg", isOpen("svgload_buffer") ? "open" : "shut")
        _ = try RasterImage(
            decoding: data, options: DecodeOptions(limits: DecodeLimits(allowsSVG: true)))
        print("svg then", isOpen("svgload_buffer") ? "open" : "shut")
        configure()
    }

    private static func configure() {
        do throws(ImagingError) {
            try ImagingRuntime.configure(ImagingRuntime())
            print("in time")
        } catch {
            print(error == .engineAlreadyStarted ? "too late" : "\(error)")
        }
    }

    /// Whether the operation may be built, whatever it says of what it is given.
    private static func isOpen(_ name: String) -> Bool {
        guard let operation = vips_operation_new(name) else { return false }
        defer { g_object_unref(operation) }
        return vips_operation_get_flags(operation).rawValue & VIPS_OPERATION_BLOCKED.rawValue == 0
    }
}
