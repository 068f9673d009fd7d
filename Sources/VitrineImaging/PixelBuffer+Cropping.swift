/// Rows of pixels copied as they are.
extension PixelBuffer {
    /// The centred part of this size, which is no larger than the whole.
    func cropped(to part: PixelSize) throws -> PixelBuffer {
        try cropped(
            left: (size.width - part.width) / 2, top: (size.height - part.height) / 2, to: part)
    }

    /// The part of this size at a position, which lies within the whole.
    func cropped(left: Int, top: Int, to part: PixelSize) throws -> PixelBuffer {
        guard part != size else { return self }
        return try PixelBuffer(unclearedWords: part, isOpaque: isOpaque ? true : nil) { target in
            withWords { source in
                for row in 0..<part.height {
                    Self.copy(
                        part.width, from: source, (top + row) * size.width + left,
                        to: target, row * part.width)
                }
            }
        }
    }

    /// Copies all pixels into a larger picture with rows of `width` pixels.
    func copyAll(to target: MutablePixelWords, width: Int, left: Int, top: Int) {
        withWords { source in
            for row in 0..<size.height {
                Self.copy(
                    size.width, from: source, row * size.width,
                    to: target, (top + row) * width + left)
            }
        }
    }

    /// Copies `count` neighbours, from one position to another.
    static func copy(
        _ count: Int, from source: PixelWords, _ first: Int, to target: MutablePixelWords,
        _ start: Int
    ) {
        _ = UnsafeMutableBufferPointer(rebasing: target[start..<start + count])
            .update(from: source[first..<first + count])
    }
}
