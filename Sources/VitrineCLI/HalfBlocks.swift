import Vitrine

/// A picture as characters: each shows two pixels, one above the other, in 24-bit colours.
enum HalfBlocks {
    /// The lines, each with its end.
    ///
    /// What is transparent is left as the terminal has it; what is partly so is mixed with
    /// `background`.
    static func lines(of picture: PixelBuffer, over background: Pixel) -> [String] {
        stride(from: 0, to: picture.size.height, by: 2).map { row in
            var text = ""
            var colors = Colors()
            for column in 0..<picture.size.width {
                func color(_ row: Int) -> Pixel? {
                    picture[column, row].flatMap { mixed($0, background) }
                }
                switch (color(row), color(row + 1)) {
                case (let upper?, let lower): colors.add("▀", upper, on: lower, to: &text)
                case (nil, let lower?): colors.add("▄", lower, on: nil, to: &text)
                case (nil, nil): colors.add(" ", nil, on: nil, to: &text)
                }
            }
            return text + "\(colors.arePlain ? "" : "\u{1B}[0m")\n"
        }
    }

    /// Nil for what is transparent.
    private static func mixed(_ pixel: Pixel, _ background: Pixel) -> Pixel? {
        guard pixel.alpha > 0 else { return nil }
        func mix(_ value: UInt8, _ below: UInt8) -> UInt8 {
            let alpha = Int(pixel.alpha)
            return UInt8((Int(value) * alpha + Int(below) * (255 - alpha) + 127) / 255)
        }
        return Pixel(
            red: mix(pixel.red, background.red), green: mix(pixel.green, background.green),
            blue: mix(pixel.blue, background.blue))
    }

    /// The colours that the terminal has just now; nil is its own.
    private struct Colors {
        private var ink: Pixel?
        private var paper: Pixel?

        var arePlain: Bool { ink == nil && paper == nil }

        /// Adds a character, and before it what changes. The ink does not matter where it is nil.
        mutating func add(
            _ character: Character, _ ink: Pixel?, on paper: Pixel?, to text: inout String
        ) {
            var codes: [String] = []
            if let ink, ink != self.ink {
                codes.append("38;2;\(ink.red);\(ink.green);\(ink.blue)")
                self.ink = ink
            }
            if paper != self.paper {
                codes.append(
                    paper.map { "48;2;\($0.red);\($0.green);\($0.blue)" } ?? "49")
                self.paper = paper
            }
            if !codes.isEmpty { text += "\u{1B}[\(codes.joined(separator: ";"))m" }
            text.append(character)
        }
    }
}
