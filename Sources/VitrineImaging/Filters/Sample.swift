/// Channels of pixels as floats, and back. Unlike the usual conversions these have no checks and can be
/// vectorised.
///
/// A float of 2^23 and more has whole numbers only, in its lowest bits; adding that rounds to the nearest.
enum Sample {
    private static let large: Float = 8_388_608

    /// A number below 2^31.
    @inline(__always)
    static func float(_ level: UInt32) -> Float {
        Float(Int32(bitPattern: level))
    }

    /// A number from 0 to 65,535, rounded.
    @inline(__always)
    static func rounded(_ value: Float) -> UInt32 {
        (value + large).bitPattern & 0xFFFF
    }

    /// A level from 0 to 255: clamped and rounded.
    @inline(__always)
    static func level(_ value: Float) -> UInt32 {
        rounded(max(0, min(255, value)))
    }

    /// Each number, from 0 to below 2^23, rounded.
    @inline(__always)
    static func whole<Samples: SIMD>(_ values: Samples) -> Samples where Samples.Scalar == Float {
        (values + large) - large
    }

    /// Four numbers from 0 to 65,535, each in the lower half of 32 bits.
    @inline(__always)
    static func floats(_ low: UInt64, _ high: UInt64) -> SIMD4<Float> {
        let large: UInt64 = 0x4B00_0000_4B00_0000
        return unsafeBitCast(SIMD2(low | large, high | large), to: SIMD4<Float>.self) - Self.large
    }

    /// Four numbers of 16 bits.
    @inline(__always)
    static func floats(_ packed: UInt64) -> SIMD4<Float> {
        let low = packed & 0xFFFF_FFFF
        let high = packed >> 32
        return floats((low | low << 16) & 0xFFFF_0000_FFFF, (high | high << 16) & 0xFFFF_0000_FFFF)
    }

    /// Four whole numbers from 0 to 65,535 in 16 bits each.
    @inline(__always)
    static func packed(_ values: SIMD4<Float>) -> UInt64 {
        let halves = unsafeBitCast(values + large, to: SIMD2<UInt64>.self)
        let low = halves.x & 0xFFFF_0000_FFFF
        let high = halves.y & 0xFFFF_0000_FFFF
        return (low | low >> 16) & 0xFFFF_FFFF | (high | high >> 16) << 32
    }
}
