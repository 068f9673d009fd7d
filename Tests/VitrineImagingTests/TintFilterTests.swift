import PixelSupport
import Testing
import VitrineImaging

@Suite struct TintFilterTests {
    private func luminance(_ levels: [Double]) -> Double {
        0.3 * levels[0] + 0.59 * levels[1] + 0.11 * levels[2]
    }

    private func levels(_ pixel: Pixel) -> [Double] {
        [Double(pixel.red), Double(pixel.green), Double(pixel.blue)]
    }

    /// The blend mode "color" as the standard writes it.
    private func blended(_ pixel: Pixel, _ color: Pixel) -> [Double] {
        let offset = luminance(levels(pixel)) - luminance(levels(color))
        var result = levels(color).map { $0 + offset }
        let own = luminance(result)
        let (least, most) = (result.min() ?? 0, result.max() ?? 0)
        if least < 0 { result = result.map { own + ($0 - own) * own / (own - least) } }
        if most > 255 { result = result.map { own + ($0 - own) * (255 - own) / (most - own) } }
        return result
    }

    static let colors = ["ff0000", "0000ff", "3366cc", "ffff00", "808080", "000000", "ffffff"]

    @Test("F4: tint is the blend mode color", arguments: colors)
    func color(hex: String) throws {
        let color = try #require(Pixel(hex: hex))
        try expectEach(.tint(color), within: 1) { blended($0, color) }
    }

    @Test("F4: tint keeps luminance and alpha", arguments: colors)
    func keepsLuminance(hex: String) throws {
        let frame = FilterSamples.noise(23, 19)
        let image = try TintFilter(color: #require(Pixel(hex: hex))).apply(to: frame, scale: 1)
        for y in 0..<19 {
            for x in 0..<23 {
                let source = try #require(frame[x, y])
                let pixel = try #require(image[x, y])
                #expect(abs(luminance(levels(pixel)) - luminance(levels(source))) < 1)
                #expect(pixel.alpha == source.alpha)
            }
        }
    }

    @Test("F4: the colour's alpha is the strength", arguments: [255, 128, 1, 0] as [UInt8])
    func strength(alpha: UInt8) throws {
        let color = Pixel(red: 200, green: 40, blue: 90, alpha: alpha)
        let share = Double(alpha) / 255
        try expectEach(.tint(color), within: 1) { pixel in
            zip(levels(pixel), blended(pixel, color)).map { $0 + ($1 - $0) * share }
        }
        try expectEach(.tint(color, mode: .multiply), within: 1) { pixel in
            zip(levels(pixel), levels(color)).map { $0 + ($0 * $1 / 255 - $0) * share }
        }
        try expectEach(.template(color)) { pixel in
            levels(color) + [Double(pixel.alpha) * share]
        }
    }

    @Test("F4: multiply makes white the colour and keeps black") func multiply() throws {
        let color = Pixel(red: 255, green: 128, blue: 7)
        for (source, expected) in [(Pixel.white, color), (.black, .black)] {
            let image = try TintFilter(color: color, mode: .multiply)
                .apply(to: .solid(source, width: 2, height: 1), scale: 1)
            expectPixel(image, at: 1, 0, equals: expected)
        }
        try expectEach(.tint(color, mode: .multiply)) { pixel in
            zip(levels(pixel), levels(color)).map { $0 * $1 / 255 }
        }
    }

    @Test("F4: a template of an opaque picture is one colour") func template() throws {
        let image = try TintFilter(color: .white, mode: .template)
            .apply(to: FilterSamples.noise(4, 4, opaque: true), scale: 1)
        #expect(image.isOpaque)
        expectPixels(image, equals: .solid(.white, width: 4, height: 4))
    }
}
