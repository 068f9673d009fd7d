/// Where red, green, blue and alpha lie in a pixel of 16 or 32 bits.
struct BMPFields: Equatable {
    let red: Field
    let green: Field
    let blue: Field
    let alpha: Field

    /// What a pixel of 16 bits is without masks; the highest bit means nothing.
    static let fiveBits = BMPFields(
        red: Field(shift: 10, width: 5), green: Field(shift: 5, width: 5),
        blue: Field(shift: 0, width: 5), alpha: .unused)
    /// What a pixel of 32 bits is without masks; the highest byte means nothing.
    static let eightBits = BMPFields(
        red: Field(shift: 16, width: 8), green: Field(shift: 8, width: 8),
        blue: Field(shift: 0, width: 8), alpha: .unused)
    /// What a pixel of 32 bits is in an icon.
    static let eightBitsWithAlpha = BMPFields(
        red: eightBits.red, green: eightBits.green, blue: eightBits.blue,
        alpha: Field(shift: 24, width: 8))

    private init(red: Field, green: Field, blue: Field, alpha: Field) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// The fields of these masks, any of which may be 0; nil if one has a gap.
    init?(red: Int, green: Int, blue: Int, alpha: Int) {
        guard let red = Field(mask: red), let green = Field(mask: green),
            let blue = Field(mask: blue), let alpha = Field(mask: alpha)
        else { return nil }
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    var hasAlpha: Bool { alpha.width > 0 }

    /// Bits of the widest field.
    var widest: Int { max(max(red.width, green.width), max(blue.width, alpha.width)) }

    /// The colour of `pixel`.
    @inline(__always)
    func color(of pixel: UInt32) -> PackedPixel {
        PackedPixel(
            red: red.value(of: pixel), green: green.value(of: pixel), blue: blue.value(of: pixel),
            alpha: hasAlpha ? alpha.value(of: pixel) : 255)
    }

    /// Neighbouring bits of a pixel, and what their values mean as 0…255.
    struct Field: Equatable {
        let shift: UInt32
        let width: Int
        private let maximum: UInt32

        static let unused = Field(shift: 0, width: 0)

        init(shift: UInt32, width: Int) {
            self.shift = shift
            self.width = width
            maximum = UInt32(truncatingIfNeeded: UInt64(1) << UInt64(width) - 1)
        }

        /// The bits of `mask`; nil if they are not neighbours.
        init?(mask: Int) {
            let mask = UInt32(truncatingIfNeeded: mask)
            self.init(
                shift: mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount),
                width: mask.nonzeroBitCount)
            guard maximum << shift == mask else { return nil }
        }

        /// The nearest of 0…255, so that the brightest becomes pure white.
        @inline(__always)
        func value(of pixel: UInt32) -> UInt8 {
            let content = (pixel >> shift) & maximum
            guard width != 8 else { return UInt8(truncatingIfNeeded: content) }
            guard maximum > 0 else { return 0 }
            let scaled = (UInt64(content) &* 255 &+ UInt64(maximum / 2)) / UInt64(maximum)
            return UInt8(truncatingIfNeeded: scaled)
        }
    }
}
