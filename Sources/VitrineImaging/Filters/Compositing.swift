/// One pixel over another: the operator source-over (Compositing and Blending Level 1, section 9.1.4) for
/// straight alpha, rounded to the nearest.
enum Compositing {
    /// `above` over an opaque pixel.
    @inline(__always)
    static func overOpaque(_ above: UInt32, _ below: UInt32) -> UInt32 {
        let alpha = above >> 24
        let rest = 255 &- alpha
        let red = dividedBy255((above & 0xFF) &* alpha &+ (below & 0xFF) &* rest)
        let green = dividedBy255((above >> 8 & 0xFF) &* alpha &+ (below >> 8 & 0xFF) &* rest)
        let blue = dividedBy255((above >> 16 & 0xFF) &* alpha &+ (below >> 16 & 0xFF) &* rest)
        return red | green << 8 | blue << 16 | 0xFF00_0000
    }

    /// `above` over any pixel; without a branch, so that the compiler can turn it into vectors.
    @inline(__always)
    static func over(_ above: UInt32, _ below: UInt32) -> UInt32 {
        let upper = above >> 24
        let lower = below >> 24
        // Both shares and their sum in 65,025ths. A product with a level is below 2^24, and so exact.
        let first = upper &* 255
        let second = lower &* (255 &- upper)
        let sum = first &+ second
        let (one, two) = (Sample.float(first), Sample.float(second))
        let inverse = 1 / Sample.float(max(1, sum))
        @inline(__always) func channel(_ shift: UInt32) -> UInt32 {
            let mixed =
                Sample.float(above >> shift & 0xFF) * one
                + Sample.float(below >> shift & 0xFF) * two
            return Sample.rounded(mixed * inverse)
        }
        return channel(0) | channel(8) << 8 | channel(16) << 16 | dividedBy255(sum) << 24
    }
}
