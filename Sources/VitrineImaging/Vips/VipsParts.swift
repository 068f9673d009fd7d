import CVips
import Glibc

/// What libvips may have been built without, found without starting it, which would take 40 ms.
///
/// A library that it needs for a format is either linked, and then in this process already, or hidden
/// behind a module in a folder beside libvips itself.
enum VipsParts {
    /// Whether the installed libvips decodes the format, as far as can be told from outside.
    static func decodes(_ format: RasterFormat) -> Bool {
        switch format {
        case .heic: has(symbol: "heif_context_alloc", module: "vips-heif.so")
        case .jpegXL: has(symbol: "JxlDecoderCreate", module: "vips-jxl.so")
        case .jpeg2000: has(symbol: "opj_create_decompress", module: "vips-jp2k.so")
        case .tiff: has(symbol: "TIFFOpen", module: "vips-tiff.so")
        case .svg: has(symbol: "rsvg_handle_new", module: "vips-rsvg.so")
        default: true
        }
    }

    private static func has(symbol: String, module: String) -> Bool {
        if dlsym(nil, symbol) != nil { return true }
        return moduleFolder.map { access("\($0)/\(module)", R_OK) == 0 } ?? false
    }

    /// Where libvips itself looks for its modules.
    private static let moduleFolder: String? = {
        guard let folder = vips_guess_libdir("vitrine", "VIPSHOME") else { return nil }
        let numbers = VipsRuntime.version.split(separator: ".").prefix(2)
        return "\(String(cString: folder))/vips-modules-\(numbers.joined(separator: "."))"
    }()
}

extension RasterFormat {
    /// The formats that this process can decode, SVG included where it can be drawn, in the order of
    /// ``allCases``.
    ///
    /// Found once from what is linked and installed, in well under a millisecond and without starting
    /// libvips.
    public static let decodable: [RasterFormat] = allCases.filter { VipsParts.decodes($0) }
}
