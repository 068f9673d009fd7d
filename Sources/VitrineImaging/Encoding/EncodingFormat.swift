/// A file format that pictures can be written in.
public enum EncodingFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Lossless, with alpha; of an animation the first frame.
    case png
    /// Lossy, without alpha: transparent parts are laid on white; of an animation the first frame.
    case jpeg
    /// Lossy or lossless, with alpha; animated.
    case webp
    /// Lossy, with alpha; of an animation the first frame.
    case avif
    /// At most 256 colours a frame, and a pixel is transparent or not; animated.
    case gif

    /// The same format as one that can be read.
    public var rasterFormat: RasterFormat {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        case .gif: .gif
        }
    }

    /// The longest side that a file of this format can have, in pixels.
    public var maximumDimension: Int {
        switch self {
        case .png: 10_000_000  // libvips' own bound; the format's is 2³¹ - 1
        case .jpeg: 65_500  // libjpeg's bound; the format's is 65,535
        case .webp: 16_383
        case .avif: 16_384  // libvips' own bound; the format's is 65,536
        case .gif: 65_535
        }
    }

    /// Whether all frames of an animation are written.
    public var keepsAnimation: Bool { self == .webp || self == .gif }

    /// The name that people know.
    public var description: String { rasterFormat.description }
}
