/// The steps that bring a picture to a size: crop it, resize what is left, crop that.
///
/// Pure arithmetic. The first crop is always centred to the half pixel (it leaves as many columns as
/// it found, modulo 2), so that it means the same in all eight orientations, and it keeps the resized
/// picture small where a long strip is enlarged to fill a square.
struct ResizePlan: Equatable {
    /// What is cut out of the source, centred.
    var crop: PixelSize
    /// The size to which that is resized.
    var resized: PixelSize
    /// The size that is cut out of the result, centred.
    var result: PixelSize

    /// Whether the steps leave `source` as it is.
    func isIdentity(for source: PixelSize) -> Bool {
        crop == source && resized == source && result == source
    }

    /// The plan that brings `source` to `target`; all sides must be positive.
    init(_ target: TargetSize, source: PixelSize) {
        switch target {
        case .fit(let width, let height):
            self.init(exactly: Self.fitted(source, width: width, height: height), source: source)
        case .maximum(let side):
            self.init(exactly: Self.fitted(source, width: side, height: side), source: source)
        case .fill(let width, let height):
            self.init(filling: PixelSize(width: width, height: height), source: source)
        }
    }

    /// How many times larger the part that counts is than what it becomes.
    var factor: Double {
        min(
            Double(crop.width) / Double(resized.width),
            Double(crop.height) / Double(resized.height))
    }

    /// The plan that stretches `source` to `size`.
    init(exactly size: PixelSize, source: PixelSize) {
        crop = source
        resized = size
        result = size
    }

    private init(filling size: PixelSize, source: PixelSize) {
        let factor = max(
            Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
        crop = PixelSize(
            width: Self.cropped(source.width, to: Double(size.width) / factor),
            height: Self.cropped(source.height, to: Double(size.height) / factor))
        resized = PixelSize(
            width: max(size.width, Self.rounded(Double(crop.width) * factor)),
            height: max(size.height, Self.rounded(Double(crop.height) * factor)))
        result = size
    }

    static func fitted(
        _ source: PixelSize, width: Int, height: Int, mayEnlarge: Bool = false
    ) -> PixelSize {
        let factor = min(
            Double(width) / Double(source.width), Double(height) / Double(source.height))
        guard factor < 1 || mayEnlarge else { return source }
        return PixelSize(
            width: min(width, max(1, rounded(Double(source.width) * factor))),
            height: min(height, max(1, rounded(Double(source.height) * factor))))
    }

    /// At least `wanted` of `side`, and as odd or even as that.
    private static func cropped(_ side: Int, to wanted: Double) -> Int {
        let least = max(1, rounded(wanted.rounded(.up)))
        return min(side, least + (side &- least) & 1)
    }

    private static func rounded(_ value: Double) -> Int {
        Int(exactly: value.rounded()) ?? Int.max
    }
}
