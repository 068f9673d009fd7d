/// Draws single frames of one file.
protocol FrameDrawer {
    /// Decodes `frame` from its payload in `bytes`, the whole file, and draws it on `canvas`;
    /// asks `cancellation` now and then.
    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError)
}

/// How the frames of one format are drawn.
protocol FrameCodec: Sendable {
    /// What draws for one reader, frames in ascending order; it may remember where it is.
    func drawer() -> any FrameDrawer

    /// Bytes that it remembers, of a file of so many bytes that shows so many pixels.
    func drawerMemory(bytes: Int, pixels: Int) -> Int
}

extension FrameCodec {
    /// None.
    func drawerMemory(bytes: Int, pixels: Int) -> Int { 0 }
}

extension FrameCodec where Self: FrameDrawer {
    /// Itself, for it needs to remember nothing.
    func drawer() -> any FrameDrawer { self }
}
