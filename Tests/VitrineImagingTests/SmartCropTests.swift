import PixelSupport
import Testing
import VitrineImaging

@Suite struct SmartCropTests {
    /// Calm grey with one bright, busy spot around a place.
    private func scene(_ size: PixelSize, x: Int, y: Int, reach: Int = 20) -> PixelBuffer {
        .drawn(size) { column, row in
            guard abs(column - x) < reach, abs(row - y) < reach else {
                return Pixel(red: 90, green: 92, blue: 94)
            }
            return (column / 4 + row / 4) % 2 == 0
                ? Pixel(red: 255, green: 60, blue: 30) : Pixel(red: 255, green: 230, blue: 60)
        }
    }

    /// How much of the spot's colours is left, in pixels.
    private func bright(_ image: PixelBuffer) -> Int {
        var count = 0
        for y in 0..<image.size.height {
            for x in 0..<image.size.width where (image[x, y]?.red ?? 0) > 170 { count += 1 }
        }
        return count
    }

    @Test(
        "F1: a smart crop keeps what draws the eye, at either end and in either direction",
        arguments: [FillFilter.Crop.attention, .entropy])
    func keeps(crop: FillFilter.Crop) throws {
        let cases: [(PixelSize, Int, Int)] = [
            (PixelSize(width: 300, height: 100), 30, 50),
            (PixelSize(width: 300, height: 100), 270, 50),
            (PixelSize(width: 100, height: 300), 50, 30),
            (PixelSize(width: 100, height: 300), 50, 270),
        ]
        for (size, x, y) in cases {
            let frame = scene(size, x: x, y: y)
            // As large as it is, shrunk and enlarged.
            for side in [100.0, 40, 150] {
                let image = try FillFilter(width: side, height: side, crop: crop)
                    .apply(to: frame, scale: 1)
                #expect(image.size == PixelSize(width: Int(side), height: Int(side)))
                #expect(image.isOpaque)
                let whole = 39 * 39 * side * side / 10_000
                #expect(Double(bright(image)) > 0.8 * whole, "\(size), \(x), \(y), \(side)")
                let centred = try FillFilter(width: side, height: side).apply(to: frame, scale: 1)
                #expect(bright(centred) == 0)
            }
        }
    }

    @Test("F1: what is hidden does not draw the eye") func hidden() throws {
        let size = PixelSize(width: 300, height: 100)
        let frame = scene(size, x: 270, y: 50)
        let hidden = PixelBuffer.drawn(size) { x, y in
            var pixel = x < 100 ? (frame[299 - x, y] ?? .clear) : (frame[x, y] ?? .clear)
            if x < 100 { pixel.alpha = 0 }
            return pixel
        }
        let image = try FillFilter(width: 100, height: 100, crop: .attention)
            .apply(to: hidden, scale: 1)
        #expect(image.isOpaque)
        #expect(bright(image) > 1000)
    }

    @Test("F1: the same picture is always cropped in the same way") func stable() throws {
        let frame = FilterSamples.noise(211, 97)
        for crop in FillFilter.Crop.allCases {
            let filter = FillFilter(width: 50, height: 61, crop: crop)
            let first = try filter.apply(to: frame, scale: 1)
            for _ in 0..<3 { expectPixels(try filter.apply(to: frame, scale: 1), equals: first) }
        }
    }

    @Test("F1: where nothing need be cut off, every crop is the same") func nothingToCut() throws {
        for crop in FillFilter.Crop.allCases {
            let image = try FillFilter(width: 48, height: 32, crop: crop)
                .apply(to: Scene.plain, scale: 1)
            expectPixels(
                image,
                equals: try ScaleFilter(width: 48, height: 32).apply(to: Scene.plain, scale: 1),
                crop.rawValue)
        }
    }
}
