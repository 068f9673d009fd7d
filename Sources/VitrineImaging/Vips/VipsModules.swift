import CVips
import Glibc
import VitrineBase

/// The modules of libvips: libraries in a folder beside it, with loaders and savers of some formats.
///
/// libvips opens all that are there when it starts, which takes 20 ms: readers of PDF and of microscopes'
/// slides, and ImageMagick, none of which this module uses. So it finds none, and the one that has a
/// picture's format is opened when the first such picture comes.
enum VipsModules {
    /// The module that has a format, where libvips has not that format in itself.
    static func name(for format: RasterFormat) -> String? {
        switch format {
        case .heic, .avif: "vips-heif.so"
        case .jpegXL: "vips-jxl.so"
        case .jpeg2000: "vips-jp2k.so"
        case .tiff: "vips-tiff.so"
        case .svg: "vips-rsvg.so"
        default: nil
        }
    }

    /// The folder beside the libvips that is loaded; nil if there is none, or libvips was told to look
    /// elsewhere.
    static var folder: String? {
        guard cvips_load() != nil, let path = cvips_path(), let real = realpath(path, nil) else {
            return nil
        }
        defer { free(real) }
        let numbers = [0, 1].map { String(cvips_version()($0)) }.joined(separator: ".")
        let parents = String(cString: real).split(separator: "/").dropLast()
        let folder = "/\(parents.joined(separator: "/"))/vips-modules-\(numbers)"
        guard access(folder, R_OK) == 0 else { return nil }
        // libvips sets this by itself, for the processes that this one starts; another place would be
        // somebody's will.
        guard let home = getenv("VIPSHOME") else { return folder }
        return folder.hasPrefix(String(cString: home) + "/") ? folder : nil
    }

    private struct State {
        /// Where the modules are that libvips did not open; nil if it did, or has none.
        var heldBack: String?
        /// Those that have been opened since, and whether that worked.
        var opened: [String: Bool] = [:]
    }

    private static let state = Lock(State())

    /// To be called before libvips starts: keeps it from opening its modules.
    ///
    /// It finds them in a place that it works out once, from a variable of the environment that it sets
    /// itself at that time. So the variable says something else for the moment in which it does that.
    static func holdBack() {
        guard let folder, let prefix = cvips_guess_prefix()("vitrine", "VIPSHOME") else { return }
        let home = String(cString: prefix)
        // No folder, so that nothing is in it.
        let nowhere = "/dev/null"
        setenv("VIPSHOME", nowhere, 1)
        let found = cvips_guess_libdir()("vitrine", "VIPSHOME").map { String(cString: $0) }
        setenv("VIPSHOME", home, 1)
        // In a program that has started libvips before, it knows its place, and has its modules.
        guard found?.hasPrefix(nowhere) == true else { return }
        state.withLock { $0.heldBack = folder }
    }

    /// Whether a module has the format and can be opened, or has been.
    static func has(_ format: RasterFormat) -> Bool {
        guard let name = name(for: format) else { return false }
        return state.withLock { state in
            guard let folder = state.heldBack else { return false }
            return state.opened[name] ?? (access("\(folder)/\(name)", R_OK) == 0)
        }
    }

    /// Opens the module that has the format, if there is one and that has not happened yet, 5 to 10 ms;
    /// false if it cannot be loaded. Who comes meanwhile waits.
    static func open(for format: RasterFormat) -> Bool { name(for: format).map(open) ?? true }

    /// The same by a file's name.
    static func open(_ name: String) -> Bool {
        state.withLock { state in
            if let known = state.opened[name] { return known }
            guard let path = state.heldBack.map({ "\($0)/\(name)" }), access(path, R_OK) == 0 else {
                return true
            }
            let before = VipsBlockList.loaders
            let isOpen = cvips_open_module(path)
            VipsBlockList.shut(VipsBlockList.loaders.subtracting(before))
            state.opened[name] = isOpen
            return isOpen
        }
    }
}
