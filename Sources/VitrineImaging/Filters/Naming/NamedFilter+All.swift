extension NamedFilter {
    /// All filters that have a name: the built-in ones without those that take a closure, a picture or
    /// other filters.
    public static let all: [FilterDescription] = sizes + shapes + colors + details + places

    private static let width = FilterDescription.Parameter("width", .length, in: .points)
    private static let height = FilterDescription.Parameter("height", .length, in: .points)
    private static let radius = FilterDescription.Parameter(
        "radius", .number(lengths), in: .points)
    private static let unit = FilterDescription.Parameter(
        "unit", .choice(LengthUnit.allCases.map(\.rawValue)), "points")

    private static func crop(_ usual: FilterValue) -> FilterDescription.Parameter {
        .init("crop", .choice(FillFilter.Crop.allCases.map(\.rawValue)), usual)
    }

    private static func fill(_ given: FilterArguments) throws(FilterNameError) -> FillFilter {
        FillFilter(try size(given), crop: try given.choice("crop", FillFilter.Crop.self))
    }

    private static func size(_ given: FilterArguments) throws(FilterNameError) -> FilterSize {
        .points(width: try given.number("width"), height: try given.number("height"))
    }

    private static func rounded(
        _ given: FilterArguments
    ) throws(FilterNameError) -> SizedShapeFilter.Shape {
        .rounded(
            radius: try given.number("radius"), unit: try given.choice("unit", LengthUnit.self))
    }

    /// A length that may be 0.
    private static let lengths = 0...Double(FilterLength.maximum)
    /// Where something lies.
    private static let offsets = -Double(FilterLength.maximum)...Double(FilterLength.maximum)

    private static let sizes: [FilterDescription] = [
        .init(
            "fit", "as large as fits into a size", aliases: ["contain", "aspectFit"],
            [width, height, .init("upscales", .flag, false)]
        ) { (given) throws(FilterNameError) in
            FitFilter(try size(given), upscales: try given.flag("upscales"))
        },
        .init(
            "fitCanvas", "the same in the middle of a canvas of that size",
            aliases: ["letterbox"],
            [width, height, .init("upscales", .flag, true)]
        ) { (given) throws(FilterNameError) in
            FitCanvasFilter(try size(given), upscales: try given.flag("upscales"))
        },
        .init(
            "fill", "exactly a size, by a crop", aliases: ["cover", "aspectFill"],
            [width, height, crop("center")]
        ) { (given) throws(FilterNameError) in
            try fill(given)
        },
        .init(
            "smartFill", "exactly a size, by a crop that keeps what counts most",
            aliases: ["smartCrop"], [width, height, crop("attention")]
        ) { (given) throws(FilterNameError) in
            try fill(given)
        },
        .init("scaled", "stretched to a size", aliases: ["scale", "resize"], [width, height]) {
            (given) throws(FilterNameError) in
            ScaleFilter(try size(given))
        },
    ]

    private static let shapes: [FilterDescription] = [
        .init("roundedCorners", "rounded corners", aliases: ["rounded", "round"], [radius, unit]) {
            (given) throws(FilterNameError) in
            RoundedCornersFilter(
                radius: try given.number("radius"),
                unit: try given.choice("unit", LengthUnit.self))
        },
        .init("circle", "the largest centred circle", []) { (_) throws(FilterNameError) in
            CircleFilter()
        },
        .init(
            "scaledRounded", "scaled and roundedCorners", aliases: ["scaleRounded"],
            [width, height, radius, unit]
        ) { (given) throws(FilterNameError) in
            SizedShapeFilter(.scaled, to: try size(given), as: try rounded(given))
        },
        .init("fillRounded", "fill and roundedCorners", [width, height, radius, unit]) {
            (given) throws(FilterNameError) in
            SizedShapeFilter(.fill, to: try size(given), as: try rounded(given))
        },
        .init(
            "scaledCircle", "scaled and circle", aliases: ["scaleCircle"], [width, height]
        ) { (given) throws(FilterNameError) in
            SizedShapeFilter(.scaled, to: try size(given), as: .circle)
        },
        .init("fillCircle", "fill and circle", [width, height]) {
            (given) throws(FilterNameError) in
            SizedShapeFilter(.fill, to: try size(given), as: .circle)
        },
    ]

    private static let colors: [FilterDescription] = [
        .init(
            "sepia", "brown like an old photograph", aliases: ["sepiaTone"],
            [.init("intensity", .number(SepiaFilter.bounds), 1)]
        ) { (given) throws(FilterNameError) in
            SepiaFilter(intensity: try given.number("intensity"))
        },
        .init(
            "greyscale", "without colours", aliases: ["grayscale", "grey", "gray"],
            [.init("intensity", .number(GreyscaleFilter.bounds), 1)]
        ) { (given) throws(FilterNameError) in
            GreyscaleFilter(intensity: try given.number("intensity"))
        },
        .init(
            "invert", "the negative", aliases: ["negative"],
            [.init("intensity", .number(InvertFilter.bounds), 1)]
        ) { (given) throws(FilterNameError) in
            InvertFilter(intensity: try given.number("intensity"))
        },
        .init(
            "brightness", "darker below 1, brighter above",
            [.init("factor", .number(BrightnessFilter.bounds))]
        ) { (given) throws(FilterNameError) in
            BrightnessFilter(factor: try given.number("factor"))
        },
        .init(
            "contrast", "weaker below 1, stronger above",
            [.init("factor", .number(ContrastFilter.bounds))]
        ) { (given) throws(FilterNameError) in
            ContrastFilter(factor: try given.number("factor"))
        },
        .init(
            "saturation", "paler below 1, more colourful above", aliases: ["saturate"],
            [.init("factor", .number(SaturationFilter.bounds))]
        ) { (given) throws(FilterNameError) in
            SaturationFilter(factor: try given.number("factor"))
        },
        .init(
            "gamma", "mid tones darker below 1, brighter above",
            [.init("value", .number(GammaFilter.bounds))]
        ) { (given) throws(FilterNameError) in
            GammaFilter(value: try given.number("value"))
        },
        .init(
            "tint", "one colour: keeps luminance, multiplies, or fills the alpha",
            aliases: ["colorize"],
            [
                .init("color", .color),
                .init("mode", .choice(TintFilter.Mode.allCases.map(\.rawValue)), "color"),
            ]
        ) { (given) throws(FilterNameError) in
            TintFilter(
                color: try given.color("color"),
                mode: try given.choice("mode", TintFilter.Mode.self))
        },
    ]

    private static let details: [FilterDescription] = [
        .init(
            "blur", "Gaussian blur by a standard deviation", aliases: ["gaussianBlur"],
            [.init("radius", .number(0...GaussianBlur.maximumDeviation), in: .points, 10)]
        ) { (given) throws(FilterNameError) in
            BlurFilter(radius: try given.number("radius"))
        },
        .init(
            "sharpen", "unsharp mask", aliases: ["unsharpMask"],
            [
                .init("radius", .number(0...GaussianBlur.maximumDeviation), in: .points, 1),
                .init("amount", .number(SharpenFilter.bounds), 0.7),
            ]
        ) { (given) throws(FilterNameError) in
            SharpenFilter(
                radius: try given.number("radius"), amount: try given.number("amount"))
        },
        .init(
            "pixellate", "square blocks", aliases: ["pixelate"],
            [.init("size", .length, in: .points, 8)]
        ) {
            (given) throws(FilterNameError) in
            PixellateFilter(size: try given.number("size"))
        },
        .init(
            "vignette", "darker towards the corners",
            [
                .init("intensity", .number(VignetteFilter.bounds), 0.7),
                .init("radius", .number(VignetteFilter.bounds), 0.4),
            ]
        ) { (given) throws(FilterNameError) in
            VignetteFilter(
                intensity: try given.number("intensity"), radius: try given.number("radius"))
        },
    ]

    private static let places: [FilterDescription] = [
        .init(
            "crop", "a rectangle of the picture",
            [
                .init("x", .number(offsets), in: .points),
                .init("y", .number(offsets), in: .points), width, height,
            ]
        ) { (given) throws(FilterNameError) in
            CropFilter(
                x: try given.number("x"), y: try given.number("y"),
                width: try given.number("width"), height: try given.number("height"))
        },
        .init("rotate", "turned clockwise", [.init("degrees", .number(nil), in: .degrees)]) {
            (given) throws(FilterNameError) in
            RotateFilter(degrees: try given.number("degrees"))
        },
        .init(
            "flip", "mirrored", aliases: ["mirror"],
            [.init("axis", .choice(FlipFilter.Axis.allCases.map(\.rawValue)))]
        ) { (given) throws(FilterNameError) in
            FlipFilter(axis: try given.choice("axis", FlipFilter.Axis.self))
        },
        .init(
            "border", "a frame of one colour around",
            [.init("width", .number(lengths), in: .points), .init("color", .color)]
        ) { (given) throws(FilterNameError) in
            BorderFilter(width: try given.number("width"), color: try given.color("color"))
        },
        .init(
            "background", "a colour under transparent parts", aliases: ["flatten"],
            [.init("color", .color)]
        ) {
            (given) throws(FilterNameError) in
            BackgroundFilter(color: try given.color("color"))
        },
    ]
}
