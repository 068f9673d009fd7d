import CVips
import Glibc

/// What libvips may have been built without, found without starting it, and if possible without loading
/// it, which takes 20 ms.
///
/// A library that it needs for a format is either named in its own file, or hidden behind a module in a
/// folder beside it.
enum VipsParts {
    /// Whether the installed libvips decodes the format, as far as can be told from outside.
    static func decodes(_ format: RasterFormat) -> Bool {
        switch format {
        case .heic: has(format, "libheif.so", "heif_context_alloc")
        case .jpegXL: has(format, "libjxl.so", "JxlDecoderCreate")
        case .jpeg2000: has(format, "libopenjp2.so", "opj_create_decompress")
        case .tiff: has(format, "libtiff.so", "TIFFOpen")
        case .svg: has(format, "librsvg-2.so", "rsvg_handle_new")
        default: true
        }
    }

    private static func has(_ format: RasterFormat, _ library: String, _ symbol: String) -> Bool {
        let isLinked =
            switch installation {
            case .file(_, let needs): needs.contains { $0.hasPrefix(library) }
            case .loaded(let handle, _): handle.has(symbol)
            case .none: false
            }
        guard !isLinked, let folder = installation.moduleFolder,
            let module = VipsModules.name(for: format)
        else { return isLinked }
        return exists("\(folder)/\(module)")
    }

    /// Where libvips is.
    private enum Installation: Sendable {
        /// In this folder, and it names these libraries.
        case file(folder: String, needs: [String])
        /// In the process, and it looks for its modules in this folder.
        case loaded(Handle, folder: String?)
        /// Nowhere.
        case none

        /// Where libvips itself looks for its modules.
        var moduleFolder: String? {
            switch self {
            case .file(let folder, _): VipsParts.moduleFolder(in: folder)
            case .loaded(_, let folder): folder
            case .none: nil
            }
        }
    }

    /// A loaded library.
    private struct Handle: @unchecked Sendable {
        // Unchecked because of the pointer, which nobody writes through; the library stays.
        let pointer: UnsafeMutableRawPointer

        /// Whether it, or one that it needs, has this symbol.
        func has(_ symbol: String) -> Bool { dlsym(pointer, symbol) != nil }
    }

    private static let installation: Installation = {
        if let folder = usualFolder, let needs = ELFNeeds.names(in: "\(folder)/\(name)") {
            return .file(folder: folder, needs: needs)
        }
        guard let pointer = cvips_load() else { return .none }
        return .loaded(Handle(pointer: pointer), folder: VipsModules.folder)
    }()

    private static let name = "libvips.so.42"

    /// The folder in which the system finds libvips; nil where that is not one of its usual places.
    private static var usualFolder: String? {
        guard getenv("LD_PRELOAD") == nil else { return nil }
        let first = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
        #if arch(arm64)
            let kind = "aarch64-linux-gnu"
        #else
            let kind = "x86_64-linux-gnu"
        #endif
        let usual = [
            "/usr/local/lib/\(kind)", "/usr/local/lib", "/usr/local/lib64", "/usr/lib/\(kind)",
            "/usr/lib64", "/usr/lib",
        ]
        let folders = first.split(separator: ":").map(String.init) + usual
        guard let folder = folders.first(where: { exists("\($0)/\(name)") }) else { return nil }
        // libvips sets this by itself, for the processes that this one starts; another place would be
        // somebody's will.
        guard let home = getenv("VIPSHOME") else { return folder }
        return folder.hasPrefix(String(cString: home) + "/") ? folder : nil
    }

    /// The modules' folder has the number of the version in its name, of which there is one.
    private static func moduleFolder(in folder: String) -> String? {
        (13...60).lazy.map { "\(folder)/vips-modules-8.\($0)" }.first(where: exists)
    }

    private static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

extension RasterFormat {
    /// The formats that this process can decode, SVG included where it can be drawn, in the order of
    /// `allCases`.
    ///
    /// Found once from what is linked and installed, in well under a millisecond and without starting
    /// libvips.
    public static let decodable: [RasterFormat] = allCases.filter { VipsParts.decodes($0) }
}
