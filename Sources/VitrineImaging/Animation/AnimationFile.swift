import FoundationEssentials

/// An animated file: its bytes, what its structure tells, and how its frames become pixels.
struct AnimationFile: Sendable {
    let format: RasterFormat
    let bytes: Data
    let outline: AnimationOutline
    let codec: any FrameCodec
    let finish: FrameFinish
    /// What is applied to each frame behind that.
    var transforms: [@Sendable (PixelBuffer) throws -> PixelBuffer] = []
}

extension AnimationFile {
    /// The picture: its first frame drawn now, the others when they are asked for, if they are wanted.
    func image(
        info: ImageInfo, options: DecodeOptions, cancellation: DecodeCancellation,
        isComplete: Bool = true
    ) throws(ImagingError) -> RasterImage {
        let poster: PixelBuffer
        do {
            let reader = try FrameReader(self)
            try reader.advance(cancellation)
            try cancellation.check()
            poster = try reader.snapshot()
        } catch {
            throw error as? ImagingError ?? .corrupt(format: format, reason: "\(error)")
        }
        guard outline.frameCount > 1, options.frames == .all else {
            return RasterImage(poster, info: info, scale: options.scale, isComplete: isComplete)
        }
        let source = AnimationSource(self, posterFrame: poster, memory: options.animationMemory)
        return RasterImage(source, scale: options.scale, info: info, isComplete: isComplete)
    }
}

/// Draws the frames of a file one after the other.
///
/// Not for sharing: whoever draws owns it.
final class FrameReader {
    private let file: AnimationFile
    private let drawer: any FrameDrawer
    private let canvas: FrameCanvas
    /// The frame that is drawn next.
    private(set) var position: Int

    /// A reader whose first frame is `key`, one that needs no other before it.
    init(_ file: AnimationFile, from key: Int = 0) throws(ImagingError) {
        self.file = file
        drawer = file.codec.drawer()
        position = key
        canvas = try FrameCanvas(size: file.outline.canvas)
    }

    /// Draws the next frame, of which there must be one. Once that was cancelled, no more can be drawn.
    func advance(
        _ cancellation: DecodeCancellation = DecodeCancellation()
    ) throws(ImagingError) {
        let frame = file.outline.frames[position]
        canvas.begin(frame)
        try VipsDecoder.borrow(file.bytes) { (bytes) throws(ImagingError) in
            try drawer.draw(frame, of: bytes, on: canvas, cancellation)
        }
        position += 1
    }

    /// What was drawn last, as it is shown.
    func snapshot() throws -> PixelBuffer {
        let frame = try canvas.withUnsafeBytes { (pixels) throws(ImagingError) in
            try file.finish.frame(pixels, size: canvas.size, format: file.format)
        }
        return try file.transforms.reduce(frame) { try $1($0) }
    }
}
