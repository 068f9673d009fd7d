/// How bytes become a picture.
public struct DecodeOptions: Sendable, Hashable {
    /// The size wanted, met while decoding; nil is the size of the file.
    public var targetSize: TargetSize?
    /// Pixels for each point of the result; 1 by default.
    public var scale: Double
    /// What the file may ask for.
    public var limits: DecodeLimits
    /// Which frames of an animation are wanted; all by default.
    public var frames: FrameSelection
    /// Most bytes that an animation takes for frames that are kept and for drawing them, beside its
    /// file; 33,554,432 (32 MB) by default. It takes more if two frames and the canvas on which they
    /// are drawn need more.
    public var animationMemory: Int
    /// What becomes of a file that is cut short or damaged; an error by default.
    public var damage: DamageHandling

    /// The defaults, or some of them changed.
    public init(
        targetSize: TargetSize? = nil, scale: Double = 1, limits: DecodeLimits = DecodeLimits(),
        frames: FrameSelection = .all, animationMemory: Int = 33_554_432,
        damage: DamageHandling = .refused
    ) {
        self.targetSize = targetSize
        self.scale = scale
        self.limits = limits
        self.frames = frames
        self.animationMemory = animationMemory
        self.damage = damage
    }

    /// Which frames of an animation a picture holds.
    public enum FrameSelection: Sendable, Hashable {
        /// All of them; they are decoded when they are asked for.
        case all
        /// Only the first one, as a still picture.
        case first
    }

    /// What becomes of a file that is cut short or damaged.
    public enum DamageHandling: Sendable, Hashable {
        /// An error.
        case refused
        /// What can be read before the damage, if there is anything; then
        /// ``RasterImage/isComplete`` is false, and what is missing is transparent.
        ///
        /// That is the upper rows of JPEG, PNG and WebP, or all of a progressive JPEG after fewer scans;
        /// of animations the whole frames, or the upper rows of the first frame of a GIF; of BMP the
        /// rows that come first in the file, usually the lower ones. Other formats, and interlaced PNG,
        /// are refused as before.
        case readablePart
    }

    /// The size of what comes out if the file has this size.
    func resultSize(of source: PixelSize, isVector: Bool) -> PixelSize {
        guard let targetSize else { return source }
        guard isVector, case .fit(let width, let height) = targetSize else {
            return ResizePlan(targetSize, source: source).result
        }
        return ResizePlan.fitted(source, width: width, height: height, mayEnlarge: true)
    }

    func check() throws(ImagingError) {
        guard scale.isFinite, scale > 0 else {
            throw .invalidArgument(name: "scale", reason: "\(scale) is not a positive number")
        }
        guard let targetSize else { return }
        let sides =
            switch targetSize {
            case .fit(let width, let height), .fill(let width, let height): [width, height]
            case .maximum(let side): [side]
            }
        for side in sides where side <= 0 {
            throw .invalidArgument(name: "targetSize", reason: "\(side) is not positive")
        }
    }
}

/// A size to be met while decoding, in pixels of the picture as shown.
///
/// Where the aspect is kept, each side is rounded to the nearest pixel and is at least 1.
public enum TargetSize: Sendable, Hashable {
    /// As large as fits into width × height; keeps the aspect, never enlarges, but for an SVG, which has
    /// no pixels of its own.
    case fit(width: Int, height: Int)
    /// Exactly width × height; keeps the aspect, cuts off what is too much evenly on both sides, and
    /// enlarges if it must.
    case fill(width: Int, height: Int)
    /// The longer side has at most this many pixels; keeps the aspect, never enlarges.
    case maximum(Int)
}
