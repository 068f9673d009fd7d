import CGTK
import VitrineBase
public import VitrineImaging

/// A picture as GTK draws it: the owner of a `GdkTexture`.
///
/// Everyone who asks for the texture of the same pixels gets the same one, as long as somebody holds it.
/// An opaque picture is not copied: the texture keeps its pixels alive. Of others GTK is given a copy
/// with premultiplied alpha, made once; with straight alpha GTK would convert it each time it is drawn.
///
/// It never changes, and may be made, used and released on any thread.
public final class ImageTexture: Sendable {
    /// The `GdkTexture`, which is also a `GdkPaintable`. It is borrowed: who keeps it beyond this
    /// object's life takes a reference.
    public nonisolated(unsafe) let pointer: OpaquePointer
    /// Width and height in pixels.
    public let size: PixelSize

    /// The texture of the picture's first frame.
    ///
    /// Blocks for about half a millisecond a million pixels if they are not opaque and have no texture
    /// yet.
    ///
    /// - Returns: nil if memory is out, or a side is longer than GTK can count.
    public static func shared(for image: RasterImage) -> ImageTexture? {
        shared(for: image.posterFrame)
    }

    /// The texture of these pixels; see ``shared(for:)-(RasterImage)``.
    static func shared(for pixels: PixelBuffer) -> ImageTexture? {
        if let known = existing(for: pixels) { return known }
        // Made outside the lock; of two who make one at a time, one throws his away.
        guard let made = ImageTexture(pixels) else { return nil }
        return textures.insert(made, for: pixels)
    }

    /// The texture of these pixels, if there is one just now.
    static func existing(for pixels: PixelBuffer) -> ImageTexture? {
        textures.texture(for: pixels)
    }

    private static let textures = TextureTable()
    private let key: ObjectIdentifier

    private init?(_ pixels: PixelBuffer) {
        guard let width = gint(exactly: pixels.size.width),
            let height = gint(exactly: pixels.size.height),
            let bytes = pixels.isOpaque ? pixels.borrowedBytes() : pixels.premultipliedBytes()
        else { return nil }
        defer { g_bytes_unref(bytes) }
        guard
            let texture = gdk_memory_texture_new(
                width, height, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes,
                gsize(pixels.size.width) * 4)
        else { return nil }
        pointer = texture
        size = pixels.size
        key = ObjectIdentifier(pixels)
    }

    deinit {
        Self.textures.forget(key)
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }
}

extension PixelBuffer {
    /// The pixels as GLib's bytes, which keep this buffer alive.
    fileprivate func borrowedBytes() -> OpaquePointer? {
        withUnsafeBytes { pixels in
            g_bytes_new_with_free_func(
                pixels.baseAddress, gsize(pixels.count),
                { held in
                    if let held { Unmanaged<PixelBuffer>.fromOpaque(held).release() }
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    /// A copy with premultiplied alpha as GLib's bytes; nil if memory is out.
    fileprivate func premultipliedBytes() -> OpaquePointer? {
        guard let memory = g_try_malloc(gsize(byteCount)) else { return nil }
        let target = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        guard (try? copyPremultiplied(into: target)) != nil else {
            g_free(memory)
            return nil
        }
        return g_bytes_new_take(memory, gsize(byteCount))
    }
}
