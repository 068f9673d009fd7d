import Glibc
import VitrineBase
import VitrineImaging

extension ImageTexture {
    /// Whether nothing has to be converted before the pixels can be drawn.
    static func isPrepared(_ pixels: PixelBuffer, forCairo: Bool) -> Bool {
        if pixels.isOpaque, !forCairo { return true }
        guard let texture = existing(for: pixels) else { return false }
        return !forCairo || texture.cairoPixelsIfMade != nil
    }

    /// The texture of these pixels; what has to be converted is by a thread for that.
    ///
    /// - Throws: `ImagingError` if memory is out, `CancellationError`.
    static func prepared(
        for pixels: PixelBuffer, forCairo: Bool
    ) async throws -> ImageTexture {
        let make: @Sendable () -> ImageTexture? = {
            let texture = shared(for: pixels)
            if forCairo { _ = texture?.cairoPixels }
            return texture
        }
        let texture =
            isPrepared(pixels, forCairo: forCairo)
            ? shared(for: pixels) : try await BlockingPool.textures.run(make)
        guard let texture else { throw ImagingError.outOfMemory(bytes: pixels.byteCount) }
        return texture
    }

    /// The texture of a frame, likewise.
    ///
    /// - Throws: as `RasterImage.frame(at:)`, and as ``prepared(for:forCairo:)``.
    static func frame(
        at index: Int, of image: RasterImage, forCairo: Bool
    ) async throws -> ImageTexture {
        try await prepared(for: image.frame(at: index), forCairo: forCairo)
    }
}

extension BlockingPool {
    /// Where pixels are converted for GTK.
    static let textures = BlockingPool(
        name: "vitrine-texture", threads: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
