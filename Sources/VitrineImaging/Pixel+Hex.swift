extension Pixel {
    /// Transparent black.
    public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    /// Opaque black.
    public static let black = Pixel(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Pixel(red: 255, green: 255, blue: 255)

    /// A colour from its hexadecimal digits, "RRGGBB" or "RRGGBBAA", in either case and with or without
    /// a "#" before them; nil for anything else.
    public init?(hex: String) {
        var digits = hex.utf8[...]
        if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            let number: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): number = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt32(number)
        }
        if digits.count == 6 { value = value << 8 | 255 }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 24),
            green: UInt8(truncatingIfNeeded: value >> 16),
            blue: UInt8(truncatingIfNeeded: value >> 8), alpha: UInt8(truncatingIfNeeded: value))
    }

    /// The eight digits of ``init(hex:)``, for example "ff8800ff".
    public var hex: String {
        [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The pixel as it lies in memory: red in the lowest byte.
    var word: UInt32 {
        UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }
}
