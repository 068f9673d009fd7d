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
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let own = luminance(channels)
        return (0...4080).map { index in
            let wanted = Double(index) / 4080
            let levels = clipped(channels.map { $0 + wanted - own }).map { value in
                UInt32(max(0, min(255, (value * 255).rounded())))
            }
            return levels[0] | levels[1] << 8 | levels[2] << 16
        }
    }

    private static func luminance(_ channels: [Double]) -> Double {
        0.3 * channels[0] + 0.59 * channels[1] + 0.11 * channels[2]
    }

    /// The function ClipColor.
    private static func clipped(_ channels: [Double]) -> [Double] {
        let own = luminance(channels)
        var result = channels
        if let least = channels.min(), least < 0 {
            result = result.map { own + ($0 - own) * own / (own - least) }
        }
        if let most = channels.max(), most > 1 {
            result = result.map { own + ($0 - own) * (1 - own) / (most - own) }
        }
        return result
    }
}
