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

/// Draws the frames of a file one after the other.
///
/// Not for sharing: whoever draws owns it.
final class FrameReader {
    private let file: AnimationFile
    private let canvas: FrameCanvas
    /// The frame that is drawn next.
    private(set) var position: Int

    /// A reader whose first frame is `key`, one that needs no other before it.
    init(_ file: AnimationFile, from key: Int = 0) throws(ImagingError) {
        self.file = file
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
            try file.codec.draw(frame, of: bytes, on: canvas, cancellation)
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
