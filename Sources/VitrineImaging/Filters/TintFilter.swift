/// Gives a picture one colour.
public struct TintFilter: ImageFilter, Hashable {
    /// How the colour and the picture become one.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Hue and saturation of the colour, luminance and alpha of the picture: the blend mode "color"
        /// (Compositing and Blending Level 1, section 10.2).
        case color
        /// The product of both: white becomes the colour, black stays.
        case multiply
        /// The colour everywhere; of the picture only the alpha counts, as with symbolic icons.
        case template
    }

    /// The colour. Its alpha is the strength: at 0 ``Mode/color`` and ``Mode/multiply`` change nothing,
    /// and ``Mode/template`` leaves nothing.
    public let color: Pixel
    /// How the colour and the picture become one.
    public let mode: Mode

    /// A filter.
    public init(color: Pixel, mode: Mode = .color) {
        self.color = color
        self.mode = mode
    }

    /// For example "tint(ff8800ff,color)".
    public var identifier: String { "tint(\(color.hex),\(mode.rawValue))" }

    /// Takes 1 to 2 ms a million pixels.
    ///
    /// - Throws: ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        switch mode {
        case .color: try Self.colored(frame, color)
        case .multiply: try Self.multiplied(frame, color)
        case .template: try Self.filled(frame, color)
        }
    }

    private static func colored(_ frame: PixelBuffer, _ color: Pixel) throws -> PixelBuffer {
        guard color.alpha > 0 else { return frame }
        let table = Luminance.table(of: color)
        guard color.alpha < 255 else {
            return try table.withUnsafeBufferPointer { table in
                try frame.transformed(isOpaque: frame.isOpaque) { source, target in
                    for index in 0..<target.count {
                        let word = source[index]
                        target[index] = table[Luminance.index(of: word)] | word & 0xFF00_0000
                    }
                }
            }
        }
        // What the colour adds to each pixel, times 255: red and blue below, green above.
        let strength = UInt32(color.alpha)
        let shares = table.map { word in
            UInt64((word & 0xFF_00FF) * strength) | UInt64((word >> 8 & 0xFF) * strength) << 32
        }
        let rest = 255 - strength
        return try shares.withUnsafeBufferPointer { shares in
            try frame.transformed(isOpaque: frame.isOpaque) { source, target in
                for index in 0..<target.count {
                    let word = source[index]
                    let share = shares[Luminance.index(of: word)]
                    // Two channels at once, 16 bits each.
                    let outer = dividedBy255(
                        pair: (word & 0xFF_00FF) &* rest &+ UInt32(truncatingIfNeeded: share))
                    let green = dividedBy255(
                        (word >> 8 & 0xFF) &* rest &+ UInt32(truncatingIfNeeded: share >> 32))
                    target[index] = outer | green << 8 | word & 0xFF00_0000
                }
            }
        }
    }

    private static func multiplied(_ frame: PixelBuffer, _ color: Pixel) throws -> PixelBuffer {
        // A mix of the picture and the product is the picture times one factor a channel.
        func factor(_ channel: UInt8) -> UInt32 {
            let strength = Double(color.alpha) / 255
            return UInt32((65_536 * (1 - strength + strength * Double(channel) / 255)).rounded())
        }
        let red = factor(color.red)
        let green = factor(color.green)
        let blue = factor(color.blue)
        return try frame.transformed(isOpaque: frame.isOpaque) { source, target in
            for index in 0..<target.count {
                let word = source[index]
                let newRed = ((word & 0xFF) &* red &+ 32_768) >> 16
                let newGreen = ((word >> 8 & 0xFF) &* green &+ 32_768) >> 16
                let newBlue = ((word >> 16 & 0xFF) &* blue &+ 32_768) >> 16
                target[index] = newRed | newGreen << 8 | newBlue << 16 | word & 0xFF00_0000
            }
        }
    }

    private static func filled(_ frame: PixelBuffer, _ color: Pixel) throws -> PixelBuffer {
        let solid = color.word & 0xFF_FFFF
        let strength = UInt32(color.alpha)
        return try frame.transformed(isOpaque: frame.isOpaque && strength == 255) {
            source, target in
            if frame.isOpaque {
                target.update(repeating: color.word)
                return
            }
            for index in 0..<target.count {
                target[index] = solid | dividedBy255((source[index] >> 24) &* strength) << 24
            }
        }
    }
}

extension ImageFilter where Self == TintFilter {
    /// One colour for the picture; by default it keeps luminance and alpha.
    public static func tint(_ color: Pixel, mode: TintFilter.Mode = .color) -> TintFilter {
        TintFilter(color: color, mode: mode)
    }

    /// The colour wherever the picture is opaque, as with symbolic icons.
    public static func template(_ color: Pixel) -> TintFilter {
        TintFilter(color: color, mode: .template)
    }
}
