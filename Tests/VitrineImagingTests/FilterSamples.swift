import PixelSupport
import Testing
import VitrineImaging

/// What the tests of filters share.
enum FilterSamples {
    /// Every pixel another one, with all kinds of alpha; the same in every run.
    static func noise(_ width: Int, _ height: Int, opaque: Bool = false, seed: UInt64 = 1)
        -> PixelBuffer
    {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        return .drawn(PixelSize(width: width, height: height)) { _, _ in
            var pixel = Pixel(red: next(), green: next(), blue: next(), alpha: next())
            // As many transparent and opaque pixels as others.
            let kind = next() & 3
            pixel.alpha = opaque || kind == 0 ? 255 : kind == 1 ? 0 : pixel.alpha
            return pixel
        }
    }

    /// The pixel at a position, or at the nearest one of the edge.
    static func clamped(_ frame: PixelBuffer, _ x: Int, _ y: Int) -> Pixel {
        frame[min(frame.size.width - 1, max(0, x)), min(frame.size.height - 1, max(0, y))]
            ?? .clear
    }

    /// A filter and what it is called in a test.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let filter: any ImageFilter
        var testDescription: String { name }
        /// The name without parameters.
        var kind: String { String(name.prefix { $0.isLetter }) }
    }

    /// Every built-in filter, with and without a name; each makes something of a picture of one pixel.
    static let all: [Sample] =
        named.compactMap { name in
            (try? NamedFilter(parsing: name)).map { Sample(name: name, filter: $0.filter) }
        } + nameless

    /// The filters that take a picture, a closure or other filters, and those for views.
    private static let nameless: [Sample] = {
        let badge = noise(5, 4, seed: 4)
        let view = PointSize(width: 6, height: 5)
        let filters: [(String, any ImageFilter)] = [
            ("overlay", .overlay(badge)),
            (
                "overlay at a corner, half",
                .overlay(badge, alignment: .bottomRight, x: -0.5, y: 1, opacity: 0.5)
            ),
            ("overlay of an opaque picture", .overlay(noise(3, 3, opaque: true))),
            ("mask", .mask(badge)), ("mask by luminance", .mask(badge, by: .luminance)),
            ("mask of an opaque picture", .mask(noise(3, 3, opaque: true))),
            (
                "mask by luminance of an opaque picture",
                .mask(noise(3, 3, opaque: true), by: .luminance)
            ),
            ("composition", .composition([.fill(width: 8, height: 6), .blur(radius: 1), .circle])),
            ("empty composition", .composition([])),
            (
                "custom",
                .custom(identifier: "transposed") { frame, scale in
                    try RotateFilter(degrees: 90).apply(
                        to: FlipFilter(axis: .horizontal).apply(to: frame, scale: scale),
                        scale: scale)
                }
            ),
            ("fit to a view", FitFilter(.viewSize, upscales: true).resolved(viewSize: view)),
            ("fitCanvas of a view", FitCanvasFilter(.viewSize).resolved(viewSize: view)),
            ("fill a view", FillFilter(.viewSize, crop: .entropy).resolved(viewSize: view)),
            ("scaled to a view", ScaleFilter(.viewSize).resolved(viewSize: view)),
        ]
        return filters.map { Sample(name: $0.0, filter: $0.1) }
    }()

    /// The named ones of ``all``.
    static let named: [String] = [
        "fit:width=7,height=5", "fit:width=9,height=9,upscales=true", "fitCanvas:width=8,height=5",
        "fitCanvas:width=20,height=31,upscales=false", "fill:width=6,height=7",
        "fill:width=9,height=4,crop=attention", "smartFill:width=4,height=9",
        "smartFill:width=9,height=9,crop=entropy",
        "scaled:width=3,height=11", "roundedCorners:radius=3",
        "roundedCorners:radius=2.5,unit=pixels",
        "circle", "scaledRounded:width=9,height=6,radius=2",
        "fillRounded:width=5,height=8,radius=4",
        "scaledCircle:width=7,height=7", "fillCircle:width=6,height=9", "sepia",
        "sepia:intensity=0.4",
        "greyscale", "greyscale:intensity=0.5", "invert", "invert:intensity=0.3",
        "brightness:factor=1.4", "contrast:factor=0.6", "saturation:factor=1.7", "gamma:value=2.2",
        "tint:color=3366cc", "tint:color=3366cc80", "tint:color=ff8000,mode=multiply",
        "tint:color=ff8000c0,mode=template", "blur:radius=0.4", "blur:radius=2", "blur:radius=900",
        "sharpen", "sharpen:radius=3,amount=4", "pixellate:size=3", "pixellate:size=1000",
        "vignette", "vignette:intensity=1,radius=0", "crop:x=0,y=0,width=3,height=2",
        "rotate:degrees=90", "rotate:degrees=180", "rotate:degrees=-90", "rotate:degrees=33",
        "flip:axis=horizontal", "flip:axis=vertical", "border:width=2,color=ff0000",
        "border:width=1,color=00ff0040", "background:color=ffffff", "background:color=10203080",
    ]

    /// Of these the ones that change colours only.
    static let colorsOnly: Set<String> = [
        "sepia", "greyscale", "invert", "brightness", "contrast", "saturation", "gamma", "tint",
        "sharpen", "vignette",
    ]
}

/// Expects that a filter makes of each pixel what `expected` says, in place.
func expectEach(
    _ filter: any ImageFilter, of frame: PixelBuffer = FilterSamples.noise(31, 17),
    within tolerance: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: (Pixel) -> [Double]
) throws {
    let image = try filter.apply(to: frame, scale: 1)
    let reference = PixelBuffer.drawn(frame.size) { x, y in
        let source = frame[x, y] ?? .clear
        let levels = expected(source).map { UInt8(max(0, min(255, $0)).rounded()) }
        return Pixel(
            red: levels[0], green: levels[1], blue: levels[2],
            alpha: levels.count > 3 ? levels[3] : source.alpha)
    }
    expectPixels(
        image, equals: reference, within: tolerance, filter.identifier,
        sourceLocation: sourceLocation)
}
