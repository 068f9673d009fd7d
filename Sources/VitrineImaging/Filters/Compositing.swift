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

    /// `above` over any pixel.
    @inline(__always)
    static func over(_ above: UInt32, _ below: UInt32) -> UInt32 {
        let upper = above >> 24
        let lower = below >> 24
        if upper == 255 || lower == 0 { return above }
        if upper == 0 { return below }
        if lower == 255 { return overOpaque(above, below) }
        // Both shares and their sum in 65,025ths.
        let first = upper &* 255
        let second = lower &* (255 &- upper)
        let sum = first &+ second
        let inverse = 1 / Double(sum)
        @inline(__always) func channel(_ shift: UInt32) -> UInt32 {
            let mixed =
                (above >> shift & 0xFF) &* first &+ (below >> shift & 0xFF) &* second
            // Rounds to the nearest: a double of 2^52 and more has whole numbers only, in its lowest
            // bits. The small summand takes halves up, whatever the multiplication does to them.
            let bits = (Double(mixed) * inverse + 1e-6 + 4_503_599_627_370_496).bitPattern
            return UInt32(truncatingIfNeeded: bits) & 0xFF
        }
        return channel(0) | channel(8) << 8 | channel(16) << 16 | dividedBy255(sum) << 24
    }
}
