import VitrineBase
import VitrineImaging

/// The textures that somebody holds, by the identity of their pixels, which each of them keeps alive.
final class TextureTable: Sendable {
    private struct Entry: Sendable { weak var texture: ImageTexture? }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// How many there are.
    var count: Int { entries.withLock { $0.count } }

    // Whatever leaves the lock does so alive: the end of a texture takes the lock too.

    func texture(for pixels: PixelBuffer) -> ImageTexture? {
        entries.withLock { $0[ObjectIdentifier(pixels)]?.texture }
    }

    /// Adds the texture, unless there is one by now; returns the one that counts.
    func insert(_ texture: ImageTexture, for pixels: PixelBuffer) -> ImageTexture {
        entries.withLock { entries in
            let key = ObjectIdentifier(pixels)
            if let earlier = entries[key]?.texture { return earlier }
            entries[key] = Entry(texture: texture)
            return texture
        }
    }

    /// The texture of these pixels is about to go; another one may have taken its place.
    func forget(_ pixels: PixelBuffer) {
        let other = entries.withLock { entries -> ImageTexture? in
            let key = ObjectIdentifier(pixels)
            let other = entries[key]?.texture
            if other == nil { entries[key] = nil }
            return other
        }
        withExtendedLifetime(other) {}
    }
}
