import Glibc
import PixelSupport
import Testing
import VitrineImaging

/// Colours against the formulas of the standards, in floating point.
@Suite struct ColorFilterTests {
    private func levels(_ pixel: Pixel) -> (Double, Double, Double) {
        (Double(pixel.red), Double(pixel.green), Double(pixel.blue))
    }

    @Test("F3: sepia is the matrix of CSS", arguments: [1.0, 0.8, 0.25, 0])
    func sepia(intensity: Double) throws {
        try expectEach(.sepia(intensity: intensity), within: 1) { pixel in
            let (r, g, b) = levels(pixel)
            let rest = 1 - intensity
            return [
                rest * r + intensity * (0.393 * r + 0.769 * g + 0.189 * b),
                rest * g + intensity * (0.349 * r + 0.686 * g + 0.168 * b),
                rest * b + intensity * (0.272 * r + 0.534 * g + 0.131 * b),
            ]
        }
        let white = PixelBuffer.solid(.white, width: 1, height: 1)
        expectPixel(
            try SepiaFilter().apply(to: white, scale: 1), at: 0, 0,
            equals: Pixel(red: 255, green: 255, blue: 239))
    }

    @Test("F3: greyscale has the weights of Rec. 709", arguments: [1.0, 0.5, 0])
    func greyscale(intensity: Double) throws {
        try expectEach(.greyscale(intensity: intensity), within: intensity == 1 ? 0 : 1) { pixel in
            let (r, g, b) = levels(pixel)
            let grey = 0.2126 * r + 0.7152 * g + 0.0722 * b
            return [r, g, b].map { $0 + (grey - $0) * intensity }
        }
    }

    @Test("F3: saturation moves colours away from grey", arguments: [0, 0.5, 1.5, 3, 16])
    func saturation(factor: Double) throws {
        try expectEach(.saturation(factor: factor), within: 1) { pixel in
            let (r, g, b) = levels(pixel)
            let grey = 0.2126 * r + 0.7152 * g + 0.0722 * b
            return [r, g, b].map { grey + ($0 - grey) * factor }
        }
    }

    @Test("F3: brightness multiplies", arguments: [0, 0.5, 1, 1.2, 16])
    func brightness(factor: Double) throws {
        try expectEach(.brightness(factor: factor)) { pixel in
            let (r, g, b) = levels(pixel)
            return [r * factor, g * factor, b * factor]
        }
    }

    @Test("F3: contrast turns around middle grey", arguments: [0, 0.5, 1, 1.2, 16])
    func contrast(factor: Double) throws {
        try expectEach(.contrast(factor: factor), within: 1) { pixel in
            let (r, g, b) = levels(pixel)
            return [r, g, b].map { ($0 - 127.5) * factor + 127.5 }
        }
    }

    @Test("F3: gamma keeps black and white", arguments: [0.01, 0.45, 1, 2.2, 100])
    func gamma(value: Double) throws {
        try expectEach(.gamma(value: value)) { pixel in
            let (r, g, b) = levels(pixel)
            return [r, g, b].map { pow($0 / 255, 1 / value) * 255 }
        }
        let ends = PixelBuffer.drawn(PixelSize(width: 2, height: 1)) { x, _ in
            x == 0 ? .black : .white
        }
        expectPixels(try GammaFilter(value: value).apply(to: ends, scale: 1), equals: ends)
    }

    @Test("F3: the negative of the negative is the picture") func invert() throws {
        let frame = FilterSamples.noise(20, 11)
        try expectEach(.invert(), of: frame) { pixel in
            [255 - Double(pixel.red), 255 - Double(pixel.green), 255 - Double(pixel.blue)]
        }
        try expectEach(.invert(intensity: 0.25), of: frame, within: 1) { pixel in
            let (r, g, b) = levels(pixel)
            return [r, g, b].map { $0 * 0.5 + 255 * 0.25 }
        }
        let twice = try InvertFilter().apply(
            to: InvertFilter().apply(to: frame, scale: 1), scale: 1)
        expectPixels(twice, equals: frame)
    }

    @Test("F3: a vignette leaves the middle and darkens the corners, alike on all sides")
    func vignette() throws {
        let frame = PixelBuffer.solid(
            Pixel(red: 200, green: 100, blue: 40, alpha: 77), width: 41, height: 23)
        let image = try VignetteFilter(intensity: 0.8, radius: 0.5).apply(to: frame, scale: 1)
        for y in 0..<23 {
            for x in 0..<41 {
                let dx = (Double(x) + 0.5 - 20.5) / 20.5
                let dy = (Double(y) + 0.5 - 11.5) / 11.5
                let distance = ((dx * dx + dy * dy) / 2).squareRoot()
                let way = max(0, (distance - 0.5) / 0.5)
                let factor = 1 - 0.8 * way * way * (3 - 2 * way)
                let pixel = try #require(image[x, y])
                #expect(abs(Double(pixel.red) - 200 * factor) < 1.2, "\(x), \(y)")
                #expect(abs(Double(pixel.green) - 100 * factor) < 1.2, "\(x), \(y)")
                #expect(pixel.alpha == 77)
                #expect(pixel == image[40 - x, y])
                #expect(pixel == image[x, 22 - y])
            }
        }
        #expect(try VignetteFilter(intensity: 0).apply(to: frame, scale: 1) === frame)
    }

    @Test("F3: what changes nothing returns the picture itself")
    func identity() throws {
        let frame = FilterSamples.noise(5, 5)
        for filter: any ImageFilter in [
            .sepia(intensity: 0), .greyscale(intensity: 0), .invert(intensity: 0),
            .brightness(factor: 1), .contrast(factor: 1), .saturation(factor: 1), .gamma(value: 1),
            .blur(radius: 0), .sharpen(radius: 0), .sharpen(amount: 0), .pixellate(size: 1),
            .rotate(degrees: 0), .rotate(degrees: -720), .border(width: 0, color: .white),
            .background(.clear), .roundedCorners(radius: 0), .tint(.clear),
        ] {
            #expect(try filter.apply(to: frame, scale: 1) === frame, "\(filter.identifier)")
        }
    }
}
