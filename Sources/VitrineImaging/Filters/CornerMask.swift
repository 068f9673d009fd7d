/// Multiplies the alpha of a picture's corners by how much of each pixel lies within a quarter circle.
enum CornerMask {
    /// `frame` with corners of `radius` pixels; at most half of the shorter side.
    static func round(_ frame: PixelBuffer, radius: Double) throws -> PixelBuffer {
        let radius = min(radius, Double(min(frame.size.width, frame.size.height)) / 2)
        guard radius > 0 else { return frame }
        return try PixelBuffer(unclearedWords: frame.size, isOpaque: nil) { target in
            frame.withWords { source in
                UnsafeMutableRawBufferPointer(target).copyMemory(
                    from: UnsafeRawBufferPointer(source))
            }
            carve(target, frame.size, radius)
        }
    }

    private static func carve(_ words: MutablePixelWords, _ size: PixelSize, _ radius: Double) {
        let (width, height) = (size.width, size.height)
        let extent = Int(radius.rounded(.up))
        for row in 0..<extent {
            // From the left: pixels outside, pixels that the arc crosses, pixels inside.
            let y = radius - (Double(row) + 0.5)
            let reach = ((radius + 0.5) * (radius + 0.5) - y * y).squareRoot()
            let outside = max(0, Int(radius - 0.5 - reach))
            let upper = row * width
            let lower = (height - 1 - row) * width
            for index in 0..<outside {
                words[upper + index] &= 0xFF_FFFF
                words[upper + width - 1 - index] &= 0xFF_FFFF
                words[lower + index] &= 0xFF_FFFF
                words[lower + width - 1 - index] &= 0xFF_FFFF
            }
            var column = outside
            while column < extent {
                let share = coverage(column: column, row: row, radius: radius)
                if share == 256 { break }
                // A middle column or row, which belongs to two corners, is met once only.
                let mirrored = width - 1 - column
                fade(words, upper + column, share)
                if mirrored != column { fade(words, upper + mirrored, share) }
                if lower != upper {
                    fade(words, lower + column, share)
                    if mirrored != column { fade(words, lower + mirrored, share) }
                }
                column += 1
            }
        }
    }

    private static func fade(_ words: MutablePixelWords, _ index: Int, _ share: UInt32) {
        let word = words[index]
        words[index] = word & 0xFF_FFFF | (((word >> 24) * share + 128) >> 8) << 24
    }

    /// How much of a corner pixel lies inside, in 256ths: the distance of its centre to the arc, which
    /// is taken as straight within a pixel.
    private static func coverage(column: Int, row: Int, radius: Double) -> UInt32 {
        let x = radius - (Double(column) + 0.5)
        let y = radius - (Double(row) + 0.5)
        guard x > 0, y > 0 else { return 256 }
        let inside = radius - (x * x + y * y).squareRoot() + 0.5
        return UInt32((min(1, max(0, inside)) * 256).rounded())
    }
}
