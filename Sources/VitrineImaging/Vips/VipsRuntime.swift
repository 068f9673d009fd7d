import CVips
import Glibc
import VitrineBase

/// libvips, loaded and started once for the process on first use, about 25 ms.
enum VipsRuntime {
    /// Starts libvips if that has not happened yet.
    static func start() throws(ImagingError) {
        if let failure { throw .engineUnavailable(reason: failure) }
    }

    /// The same for those who decode or write this format: the module that has it is there then.
    static func start(for format: RasterFormat) throws(ImagingError) {
        try start()
        guard VipsModules.open(for: format) else { throw .codecMissing(format: format) }
    }

    /// The same for those who call libvips: each of its two entries (an operation, an image from
    /// memory) asks for this, since without it libvips crashes.
    static func require() throws(VipsFailure) {
        if let failure { throw VipsFailure(failure) }
    }

    /// The same for those who name an operation of this format.
    static func require(for format: RasterFormat) throws(VipsFailure) {
        try require()
        guard VipsModules.open(for: format) else {
            throw VipsFailure("libvips' module for \(format) cannot be loaded")
        }
    }

    /// The same for SVG, whose loader stays shut in processes that never draw one.
    static func startSVG() throws(ImagingError) {
        try start(for: .svg)
        _ = svg
    }

    private static let svg: Void = {
        guard state.withLock({ $0.settings.setsBlockList }) else { return }
        VipsBlockList.openSVG()
    }()

    private struct State {
        var settings = ImagingRuntime()
        var hasStarted = false
    }

    private static let state = Lock(State())

    /// Says what is set up; false if that has happened.
    static func configure(_ settings: ImagingRuntime) -> Bool {
        state.withLock { state in
            guard !state.hasStarted else { return false }
            state.settings = settings
            return true
        }
    }

    /// The version of the libvips at hand, for example "8.14.1"; loads it.
    static var version: String {
        guard cvips_load() != nil else { return "not installed" }
        return [0, 1, 2].map { String(cvips_version()($0)) }.joined(separator: ".")
    }

    /// Whether the libvips that runs has this operation.
    static func has(_ operation: String) -> Bool {
        cvips_type_find()("VipsOperation", operation) != 0
    }

    /// The same, or it has a module of that format, which is opened for the first picture.
    static func has(_ operation: String, of format: RasterFormat) -> Bool {
        has(operation) || VipsModules.has(format)
    }

    private static let failure: String? = {
        let settings = state.withLock { state in
            state.hasStarted = true
            return state.settings
        }
        guard cvips_load() != nil else {
            return dlerror().map { String(cString: $0) } ?? "libvips is not installed"
        }
        // A program's own list could not shut what comes later.
        if settings.defersModules, settings.setsBlockList { VipsModules.holdBack() }
        guard cvips_init()("vitrine") == 0 else {
            return VipsFailure.take(after: "vips_init").message
        }
        // One thread a job, and as many jobs as cores, is twice as fast as the other way round.
        if settings.limitsConcurrency { cvips_concurrency_set()(1) }
        // Every source is another one: the cache of operations would only pin memory.
        if settings.disablesCache { cvips_cache_set_max()(0) }
        if settings.setsBlockList { VipsBlockList.set() }
        if settings.silencesLog { silenceLog() }
        cvips_error_clear()()
        return nil
    }()

    /// Warnings about odd files are no business of the standard error stream.
    private static func silenceLog() {
        let levels = [
            G_LOG_LEVEL_WARNING, G_LOG_LEVEL_MESSAGE, G_LOG_LEVEL_INFO, G_LOG_LEVEL_DEBUG,
        ]
        let mask = GLogLevelFlags(rawValue: levels.reduce(0) { $0 | $1.rawValue })
        // Pango draws the text of SVG.
        for domain in ["VIPS", "Pango"] {
            g_log_set_handler(domain, mask, { _, _, _, _ in }, nil)
        }
    }
}

/// The version of the libvips at hand, for example "8.14.1".
package func libvipsVersion() -> String { VipsRuntime.version }
