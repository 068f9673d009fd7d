/// Brings the highlights of HDR into the range of a standard display: the electro-electrical transfer
/// function of Report ITU-R BT.2390-11, 5.4.1.
///
/// Shadows and middle tones stay as they are; from a knee on a spline bends until the brightest highlight
/// meets the display's white. That white counts as 203 candela per square metre, the reference level of
/// graphics white (Report ITU-R BT.2408-7, 2.1), and the brightest highlight as 1,000, on which most HDR is
/// mastered; what is brighter is as white.
enum ToneCompression {
    /// Candela per square metre of the white that is shown.
    static let white = 203.0
    /// Candela per square metre of the brightest highlight.
    static let peak = 1000.0

    /// The peak as a number of PQ; the other numbers are shares of it.
    private static let whole = PQ.value(peak / 10_000)
    private static let most = PQ.value(white / 10_000) / whole
    private static let knee = 1.5 * most - 0.5

    /// The light that is shown for `light`, both in candela per square metre.
    static func shown(_ light: Double) -> Double {
        let value = min(1, PQ.value(light / 10_000) / whole)
        guard value > knee else { return light }
        let t = (value - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let bent =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee)
            + (3 * t2 - 2 * t3) * most
        return PQ.light(bent * whole) * 10_000
    }

    /// By how much `light` is dimmed, 0…1.
    static func factor(_ light: Double) -> Double {
        light > 0 ? min(1, shown(light) / light) : 1
    }
}
