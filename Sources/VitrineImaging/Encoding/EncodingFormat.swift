/// A file format that pictures can be written in.
public enum EncodingFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Lossless, with alpha.
    case png
    /// Lossy, without alpha: transparent parts are laid on white.
    case jpeg
    /// Lossy, with alpha.
    case webp

    /// The same format as one that can be read.
    public var rasterFormat: RasterFormat {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        }
    }

    /// The longest side that a file of this format can have, in pixels.
    public var maximumDimension: Int {
        switch self {
        case .png: 10_000_000  // libvips' own bound; the format's is 2³¹ - 1
        case .jpeg: 65_500  // libjpeg's bound; the format's is 65,535
        case .webp: 16_383
        }
    }

    /// The name that people know.
    public var description: String { rasterFormat.description }
}

/// How a picture is written.
public struct EncodeOptions: Sendable, Hashable {
    /// 1 (small) … 100 (good), for JPEG and WebP; 82 by default. PNG is lossless whatever it is.
    public var quality: Int

    /// The defaults, or some of them changed.
    public init(quality: Int = 82) {
        self.quality = quality
    }
}
