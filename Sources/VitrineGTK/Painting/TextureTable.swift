import VitrineBase
import VitrineImaging

/// The textures that somebody holds, by the pixels of which they were made.
final class TextureTable: Sendable {
    fileprivate struct Entry: Sendable {
        /// An address may be used again, so it alone does not tell which pixels they were.
        weak var pixels: PixelBuffer?
        weak var texture: ImageTexture?
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// How many there are.
    var count: Int { entries.withLock { $0.count } }

    func texture(for pixels: PixelBuffer) -> ImageTexture? {
        // It leaves the lock alive: its end takes the lock too.
        let entry = entries.withLock { $0[ObjectIdentifier(pixels)]?.strong }
        return entry?.pixels === pixels ? entry?.texture : nil
    }

    /// Adds the texture, unless there is one by now; returns the one that counts.
    func insert(_ texture: ImageTexture, for pixels: PixelBuffer) -> ImageTexture {
        let earlier = entries.withLock {
            entries -> (pixels: PixelBuffer?, texture: ImageTexture?)? in
            let key = ObjectIdentifier(pixels)
            let earlier = entries[key]?.strong
            if earlier?.pixels !== pixels || earlier?.texture == nil {
                entries[key] = Entry(pixels: pixels, texture: texture)
            }
            return earlier
        }
        guard earlier?.pixels === pixels, let known = earlier?.texture else { return texture }
        return known
    }

    /// A texture is about to go; another one may have taken its place.
    func forget(_ key: ObjectIdentifier) {
        let other = entries.withLock { entries -> ImageTexture? in
            let other = entries[key]?.texture
            if other == nil { entries[key] = nil }
            return other
        }
        withExtendedLifetime(other) {}
    }
}

extension TextureTable.Entry {
    fileprivate var strong: (pixels: PixelBuffer?, texture: ImageTexture?) { (pixels, texture) }
}
