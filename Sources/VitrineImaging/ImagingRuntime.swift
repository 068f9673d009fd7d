/// What this module sets up in libvips, which belongs to the whole process.
///
/// By default all of it, which suits a program that meets libvips here only. A program that uses libvips
/// itself says what is left alone, before it decodes or filters anything:
///
/// ```swift
/// try ImagingRuntime.configure(ImagingRuntime(limitsConcurrency: false, disablesCache: false))
/// ```
///
/// What cannot be switched: libvips is started (`vips_init`) unless it runs, and its buffer of error
/// texts is emptied by whoever reads it. No text of it decides anything here.
public struct ImagingRuntime: Sendable, Hashable {
    /// Whether the loaders that libvips calls unsafe are shut (`vips_block_untrusted_set`), ImageMagick
    /// among them, but for JPEG XL and JPEG 2000, and that of SVG as soon as one is drawn
    /// (`vips_operation_block_set`). If not, the list is the program's business: what it blocks this
    /// module cannot decode, but it never calls ImageMagick in any case.
    public var setsBlockList: Bool
    /// Whether libvips works with one thread a job (`vips_concurrency_set`). Many jobs at once are twice
    /// as fast so; a single large picture is slower.
    public var limitsConcurrency: Bool
    /// Whether libvips forgets its operations at once (`vips_cache_set_max`), which otherwise keep some
    /// memory. This module never takes anything from that cache.
    public var disablesCache: Bool
    /// Whether libvips' warnings are kept from the standard error stream (a handler of GLib for the
    /// domains VIPS and Pango).
    public var silencesLog: Bool
    /// Whether libvips opens its modules, such as those of HEIC, JPEG XL, PDF and ImageMagick, not when it
    /// starts, which takes 20 ms, but each when this module meets the first picture that needs it; the
    /// others never. A program that uses libvips for more formats than are decoded here wants them all.
    ///
    /// They are all opened at the start too where ``setsBlockList`` is false, since a program's own list
    /// shuts only what is there; and are there already if the program has started libvips itself.
    public var defersModules: Bool

    /// The defaults, or some of them changed.
    public init(
        setsBlockList: Bool = true, limitsConcurrency: Bool = true, disablesCache: Bool = true,
        silencesLog: Bool = true, defersModules: Bool = true
    ) {
        self.setsBlockList = setsBlockList
        self.limitsConcurrency = limitsConcurrency
        self.disablesCache = disablesCache
        self.silencesLog = silencesLog
        self.defersModules = defersModules
    }

    /// Says what is set up on first use; before that, and the last call counts.
    ///
    /// - Throws: ``ImagingError/engineAlreadyStarted`` once something was decoded, probed, filtered or
    ///   encoded by means of libvips.
    public static func configure(_ runtime: ImagingRuntime) throws(ImagingError) {
        guard VipsRuntime.configure(runtime) else { throw .engineAlreadyStarted }
    }
}
