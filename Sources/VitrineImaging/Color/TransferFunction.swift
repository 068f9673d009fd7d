import Glibc

/// How the numbers of a file become light (ITU-T H.273, table 3).
enum TransferFunction: Hashable {
    /// That of sRGB, and of all that is shown by the same displays: what is not specified, and the camera
    /// curves of BT.601, BT.709 and BT.2020, to which a display answers with nearly the curve of sRGB.
    case sRGB
    /// A power.
    case gamma(Double)
    /// PQ of Rec. ITU-R BT.2100: absolute light.
    case perceptualQuantizer
    /// HLG of Rec. ITU-R BT.2100: light of the scene.
    case hybridLogGamma

    init(codePoint: Int) {
        self =
            switch codePoint {
            case 4: .gamma(2.2)
            case 5: .gamma(2.8)
            case 8: .gamma(1)
            case 16: .perceptualQuantizer
            case 17: .gamma(2.6)
            case 18: .hybridLogGamma
            default: .sRGB
            }
    }

    /// The light of a number, both 0…1. For PQ 1 is 10,000 candela per square metre.
    func light(_ value: Double) -> Double {
        switch self {
        case .sRGB:
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        case .gamma(let power):
            return pow(value, power)
        case .perceptualQuantizer:
            return PQ.light(value)
        case .hybridLogGamma:
            // The inverse of HLG's camera curve (BT.2100-2, table 5).
            let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
            return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
        }
    }
}

/// The curve of PQ (Rec. ITU-R BT.2100-2, table 4); light 1 is 10,000 candela per square metre.
enum PQ {
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    static func light(_ value: Double) -> Double {
        let power = pow(max(0, value), 1 / m2)
        return pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    static func value(_ light: Double) -> Double {
        let power = pow(max(0, light), m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
