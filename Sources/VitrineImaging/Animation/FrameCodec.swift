/// Draws single frames of one format.
protocol FrameCodec: Sendable {
    /// Decodes `frame` from its payload in `bytes`, the whole file, and draws it on `canvas`;
    /// asks `cancellation` now and then.
    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError)
}
