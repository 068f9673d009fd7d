/// Luminance as Compositing and Blending Level 1, section 10.2, has it: 0.3, 0.59 and 0.11 of red, green
/// and blue.
enum Luminance {
    /// The luminance of a pixel in sixteenths of a level, 0…4080.
    @inline(__always)
    static func index(of word: UInt32) -> Int {
        // The weights in 65,536ths.
        let sum =
            (word & 0xFF) &* 19_661 &+ (word >> 8 & 0xFF) &* 38_666 &+ (word >> 16 & 0xFF) &* 7_209
        return Int((sum &+ 2048) >> 12)
    }

    /// The words, without alpha, that have the hue and saturation of `color` and each of the luminances:
    /// the function SetLum.
    static func table(of color: Pixel) -> [UInt32] {
        let channels = SIMD3(Double(color.red), Double(color.green), Double(color.blue)) / 255
        let own = luminance(channels)
        return (0...4080).map { index in
            let wanted = Double(index) / 4080
            var levels = clipped(channels + (wanted - own)) * 255
            levels.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
            levels.round(.toNearestOrAwayFromZero)
            return UInt32(levels.x) | UInt32(levels.y) << 8 | UInt32(levels.z) << 16
        }
    }

    private static func luminance(_ channels: SIMD3<Double>) -> Double {
        0.3 * channels.x + 0.59 * channels.y + 0.11 * channels.z
    }

    /// The function ClipColor.
    private static func clipped(_ channels: SIMD3<Double>) -> SIMD3<Double> {
        let own = luminance(channels)
        let (least, most) = (channels.min(), channels.max())
        var result = channels
        if least < 0 { result = own + (result - own) * (own / (own - least)) }
        if most > 1 { result = own + (result - own) * ((1 - own) / (most - own)) }
        return result
    }
}
