/// Draws single frames of one format.
protocol FrameCodec: Sendable {
    /// Decodes `frame` from its payload in `bytes`, the whole file, and draws it on `canvas`.
    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas
    ) throws(ImagingError)
}
