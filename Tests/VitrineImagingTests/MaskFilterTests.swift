import PixelSupport
import Testing
import VitrineImaging

@Suite struct MaskFilterTests {
    private func masked(_ pixel: Pixel, _ share: Double) -> Pixel {
        var pixel = pixel
        pixel.alpha = UInt8((Double(pixel.alpha) * share.rounded() / 255).rounded())
        return pixel
    }

    @Test("F8: a mask multiplies alpha, by its alpha or its luminance") func masks() throws {
        for opaque in [true, false] {
            let frame = FilterSamples.noise(31, 17, opaque: opaque)
            let mask = FilterSamples.noise(31, 17, seed: 5)
            expectPixels(
                try MaskFilter(mask).apply(to: frame, scale: 2),
                equals: .drawn(frame.size) { x, y in
                    masked(frame[x, y] ?? .clear, Double(mask[x, y]?.alpha ?? 0))
                }, "by alpha")
            expectPixels(
                try MaskFilter(mask, by: .luminance).apply(to: frame, scale: 2),
                equals: .drawn(frame.size) { x, y in
                    let pixel = mask[x, y] ?? .clear
                    let grey =
                        0.2126 * Double(pixel.red) + 0.7152 * Double(pixel.green)
                        + 0.0722 * Double(pixel.blue)
                    return masked(frame[x, y] ?? .clear, grey * Double(pixel.alpha) / 255)
                }, within: 1, "by luminance")
        }
    }

    @Test("F8: white keeps, black removes, and an opaque mask changes no alpha") func ends() throws
    {
        let frame = FilterSamples.noise(9, 8)
        let black = PixelBuffer.solid(.black, width: 3, height: 2)
        let white = PixelBuffer.solid(.white, width: 3, height: 2)
        #expect(try MaskFilter(black).apply(to: frame, scale: 1) === frame)
        expectPixels(
            try MaskFilter(white, by: .luminance).apply(to: frame, scale: 1), equals: frame)
        let nothing = try MaskFilter(black, by: .luminance).apply(to: frame, scale: 1)
        expectPixels(nothing, equals: .solid(.clear, width: 9, height: 8))
        #expect(!nothing.isOpaque)
    }

    @Test("F8: a mask of another size is stretched over the picture") func stretched() throws {
        let halves = PixelBuffer.drawn(PixelSize(width: 20, height: 3)) { x, _ in
            x < 10 ? .clear : .white
        }
        for (width, height) in [(40, 50), (10, 1), (200, 3), (20, 3)] {
            let frame = PixelBuffer.solid(
                Pixel(red: 1, green: 2, blue: 3), width: width, height: height)
            let image = try MaskFilter(halves).apply(to: frame, scale: 1)
            #expect(image.size == frame.size)
            expectPixel(image, at: 0, 0, equals: .clear)
            expectPixel(image, at: width - 1, height - 1, equals: Pixel(red: 1, green: 2, blue: 3))
        }
    }
}
