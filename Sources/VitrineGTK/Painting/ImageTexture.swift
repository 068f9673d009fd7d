import CGTK
import VitrineBase
public import VitrineImaging

/// A picture as GTK draws it: the owner of a `GdkTexture`.
///
/// Everyone who asks for the texture of the same pixels gets the same one, as long as somebody holds it.
/// An opaque picture is not copied: GTK is lent its pixels. Of others it is given a copy with
/// premultiplied alpha, made once.
///
/// It never changes, keeps the picture's pixels alive, and may be made, used and released on any thread.
public final class ImageTexture: Sendable {
    /// The `GdkTexture`, which is also a `GdkPaintable`. It is borrowed: who keeps it beyond this
    /// object's life takes a reference. (Unsafe to the compiler only: textures do not change, and GLib counts
    /// references atomically.)
    public nonisolated(unsafe) let pointer: OpaquePointer
    private let pixels: PixelBuffer
    private let cairo: Lock<CairoPixels?>
    static let table = TextureTable()

    /// Width and height in pixels.
    public var size: PixelSize { pixels.size }

    /// The texture of the picture's first frame.
    ///
    /// Blocks, in proportion to its pixels, if they are not opaque and have no texture yet.
    ///
    /// - Returns: nil if memory is out, or a side is longer than GTK can count.
    public static func shared(for image: RasterImage) -> ImageTexture? {
        shared(for: image.posterFrame)
    }

    /// The texture of these pixels, as ``shared(for:)-(RasterImage)`` does it.
    static func shared(for pixels: PixelBuffer) -> ImageTexture? {
        if let known = existing(for: pixels) { return known }
        // Made outside the lock; of two who make one at a time, one throws his away.
        guard let made = ImageTexture(pixels) else { return nil }
        return table.insert(made, for: pixels)
    }

    /// The texture of these pixels, if there is one just now.
    static func existing(for pixels: PixelBuffer) -> ImageTexture? {
        table.texture(for: pixels)
    }

    private init?(_ pixels: PixelBuffer) {
        let copy = pixels.isOpaque ? nil : CairoPixels(pixels)
        guard let width = gint(exactly: pixels.size.width),
            let height = gint(exactly: pixels.size.height),
            let bytes = pixels.isOpaque ? pixels.lentBytes() : copy?.lentBytes()
        else { return nil }
        defer { g_bytes_unref(bytes) }
        let format =
            pixels.isOpaque
            ? GDK_MEMORY_R8G8B8A8_PREMULTIPLIED : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED
        guard
            let texture = gdk_memory_texture_new(
                width, height, format, bytes, gsize(pixels.size.width) * 4)
        else { return nil }
        pointer = texture
        self.pixels = pixels
        cairo = Lock(copy)
    }

    deinit {
        Self.table.forget(pixels)
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// The pixels as cairo draws them, made when they are first asked for; nil if memory is out.
    ///
    /// Blocks the first time, in proportion to its pixels.
    var cairoPixels: CairoPixels? {
        if let known = cairoPixelsIfMade { return known }
        guard let made = CairoPixels(pixels) else { return nil }
        return cairo.withLock { known in
            if known == nil { known = made }
            return known
        }
    }

    /// The same, if somebody has asked already.
    var cairoPixelsIfMade: CairoPixels? { cairo.withLock { $0 } }
}

extension PixelBuffer {
    /// The pixels as GLib's bytes, which keep this buffer alive.
    fileprivate func lentBytes() -> OpaquePointer? {
        withUnsafeBytes { pixels in
            g_bytes_new_with_free_func(
                pixels.baseAddress, gsize(pixels.count),
                { held in
                    if let held { Unmanaged<PixelBuffer>.fromOpaque(held).release() }
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }
}
