import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct FilterTests {
    static let gradient = PixelBuffer.drawn(PixelSize(width: 61, height: 43)) { x, y in
        Pixel(red: UInt8(x * 4), green: UInt8(y * 5), blue: 90)
    }

    private func size(_ filter: any ImageFilter, of frame: PixelBuffer, scale: Double = 1) throws
        -> PixelSize
    {
        try filter.apply(to: frame, scale: scale).size
    }

    @Test("F1: fit keeps the aspect and never enlarges") func fit() throws {
        let frame = Scene.plain
        #expect(
            try size(.fit(width: 48, height: 48), of: frame) == PixelSize(width: 48, height: 32))
        #expect(
            try size(.fit(width: 500, height: 16), of: frame) == PixelSize(width: 24, height: 16))
        #expect(try size(.fit(width: 0.2, height: 9), of: frame) == PixelSize(width: 1, height: 1))
        let same = try FitFilter(width: 96, height: 900).apply(to: frame, scale: 1)
        #expect(same === frame)
        let shrunk = try FitFilter(width: 24, height: 16).apply(to: frame, scale: 1)
        #expect(shrunk.isOpaque)
        for (index, (x, y)) in [(2, 6), (20, 4), (4, 13), (20, 12)].enumerated() {
            expectPixel(shrunk, at: x, y, equals: Scene.colors[index], within: 4)
        }
    }

    @Test("F1: fill has exactly the size, from the middle") func fill() throws {
        for (width, height) in [(10, 10), (7, 50), (200, 9), (96, 64), (1, 1), (97, 65)] {
            let image = try FillFilter(width: Double(width), height: Double(height))
                .apply(to: Scene.plain, scale: 1)
            #expect(image.size == PixelSize(width: width, height: height))
        }
        // A square of 64: 16 columns go on each side.
        let square = try FillFilter(width: 64, height: 64).apply(to: Scene.plain, scale: 1)
        expectPixels(
            square,
            equals: .drawn(PixelSize(width: 64, height: 64)) { x, y in
                Scene.plain[x + 16, y] ?? Pixel(red: 0, green: 0, blue: 0)
            })
    }

    @Test("F1: scaled ignores the aspect") func scaled() throws {
        for (width, height) in [(10, 90), (300, 2), (1, 1), (33, 77), (96, 1)] {
            let image = try ScaleFilter(width: Double(width), height: Double(height))
                .apply(to: Scene.plain, scale: 1)
            #expect(image.size == PixelSize(width: width, height: height))
            #expect(image.isOpaque)
        }
    }

    @Test("F1: every pair of sizes is met exactly") func everySize() throws {
        let frame = Self.gradient
        for side in [1, 2, 3, 5, 13, 29, 30, 31, 42, 43, 44, 60, 61, 62, 85, 122, 127] {
            for other in [1, 4, 17, 43, 100] {
                let size = PixelSize(width: side, height: other)
                for filter: any ImageFilter in [
                    .scaled(width: Double(side), height: Double(other)),
                    .fill(width: Double(side), height: Double(other)),
                ] {
                    #expect(try filter.apply(to: frame, scale: 1).size == size)
                }
            }
        }
    }

    @Test("F1: one pixel survives everything") func onePixel() throws {
        let dot = PixelBuffer.solid(Pixel(red: 9, green: 99, blue: 200), width: 1, height: 1)
        for filter: any ImageFilter in [
            .fit(width: 5, height: 5), .fill(width: 5, height: 3), .scaled(width: 4, height: 9),
        ] {
            let image = try filter.apply(to: dot, scale: 1)
            expectPixel(
                image, at: 0, 0, equals: Pixel(red: 9, green: 99, blue: 200), within: 1,
                filter.identifier)
        }
        #expect(try CircleFilter().apply(to: dot, scale: 1).size == PixelSize(width: 1, height: 1))
        #expect(try RoundedCornersFilter(radius: 50).apply(to: dot, scale: 1).size == dot.size)
    }

    @Test("F11: lengths are points") func points() throws {
        #expect(
            try size(.fit(width: 20, height: 20), of: Scene.plain, scale: 2)
                == PixelSize(width: 40, height: 27))
        #expect(
            try size(.fill(width: 10.4, height: 5), of: Scene.plain, scale: 1.5)
                == PixelSize(width: 16, height: 8))
        let one = try RoundedCornersFilter(radius: 8).apply(to: Scene.plain, scale: 1)
        let two = try RoundedCornersFilter(radius: 4).apply(to: Scene.plain, scale: 2)
        expectPixels(two, equals: one)
    }

    @Test("F2: rounded corners change alpha of the corners only") func corners() throws {
        let image = try RoundedCornersFilter(radius: 10).apply(to: Scene.plain, scale: 1)
        #expect(!image.isOpaque)
        for y in 0..<64 {
            for x in 0..<96 {
                let pixel = try #require(image[x, y])
                let source = try #require(Scene.plain[x, y])
                #expect((pixel.red, pixel.green) == (source.red, source.green))
                let dx = max(0, 10 - (Double(min(x, 95 - x)) + 0.5))
                let dy = max(0, 10 - (Double(min(y, 63 - y)) + 0.5))
                let distance = (dx * dx + dy * dy).squareRoot()
                if dx == 0 || dy == 0 || distance < 9.5 {
                    #expect(pixel.alpha == 255, "(\(x), \(y))")
                } else if distance > 10.5 {
                    #expect(pixel.alpha == 0, "(\(x), \(y))")
                } else {
                    let exact = (10.5 - distance) * 255
                    #expect(abs(Double(pixel.alpha) - exact) <= 2, "(\(x), \(y))")
                }
            }
        }
        #expect(image[0, 0]?.alpha == 0)
        #expect(image[95, 63]?.alpha == 0)
    }

    @Test("F2: alpha that was there is multiplied") func cornersOfAlpha() throws {
        let frame = PixelBuffer.solid(
            Pixel(red: 10, green: 20, blue: 30, alpha: 100), width: 20, height: 20)
        let image = try RoundedCornersFilter(radius: 10).apply(to: frame, scale: 1)
        #expect(image[10, 10] == Pixel(red: 10, green: 20, blue: 30, alpha: 100))
        #expect(image[0, 0]?.alpha == 0)
        for x in 0..<20 { #expect(try #require(image[x, 2]).alpha <= 100) }
    }

    @Test("F2: radius of nothing, and beyond half") func cornerEdges() throws {
        #expect(
            try RoundedCornersFilter(radius: 0).apply(to: Scene.plain, scale: 1) === Scene.plain)
        let half = try RoundedCornersFilter(radius: 32).apply(to: Scene.plain, scale: 1)
        let more = try RoundedCornersFilter(radius: 9_000).apply(to: Scene.plain, scale: 1)
        expectPixels(more, equals: half)
        #expect(half[48, 0]?.alpha == 255)
    }

    @Test(
        "F2: a circle is round, symmetric and centred",
        arguments: [
            (96, 64), (64, 96), (63, 63), (5, 9), (2, 2), (3, 100), (31, 30),
        ])
    func circle(width: Int, height: Int) throws {
        let frame = PixelBuffer.drawn(PixelSize(width: width, height: height)) { x, y in
            Pixel(red: UInt8(x), green: UInt8(y), blue: 7)
        }
        let image = try CircleFilter().apply(to: frame, scale: 3)
        let side = min(width, height)
        #expect(image.size == PixelSize(width: side, height: side))
        var covered = 0
        for y in 0..<side {
            for x in 0..<side {
                let pixel = try #require(image[x, y])
                covered += Int(pixel.alpha)
                #expect(pixel.alpha == image[side - 1 - x, y]?.alpha)
                #expect(pixel.alpha == image[y, x]?.alpha)
                #expect(pixel.red == UInt8(x + (width - side) / 2))
                #expect(pixel.green == UInt8(y + (height - side) / 2))
            }
        }
        let area = Double(covered) / 255
        let exact = Double.pi * Double(side * side) / 4
        #expect(abs(area - exact) / exact < (side > 10 ? 0.005 : 0.1), "\(area) of \(exact)")
    }

    @Test(
        "F1, F2: lengths that make no sense are errors",
        arguments: [
            0, -1, Double.nan, .infinity, -.infinity, 1e9, 1e300,
        ])
    func badLengths(length: Double) throws {
        var filters: [any ImageFilter] = [
            .fit(width: length, height: 5), .fit(width: 5, height: length),
            .fill(width: length, height: 5), .fill(width: 5, height: length),
            .scaled(width: length, height: 5), .scaled(width: 5, height: length),
        ]
        if length != 0 { filters.append(.roundedCorners(radius: length)) }
        for filter in filters {
            #expect(throws: ImagingError.self, "\(filter.identifier)") {
                try filter.apply(to: Scene.plain, scale: 1)
            }
        }
    }

    @Test("F1: a scale that makes no sense is an error", arguments: [0, -2, Double.nan, .infinity])
    func badScale(scale: Double) {
        #expect(throws: ImagingError.self) {
            try FitFilter(width: 5, height: 5).apply(to: Scene.plain, scale: scale)
        }
    }

    @Test("F1: more pixels than there can be are an error, not a crash") func tooMany() {
        #expect(
            throws: ImagingError.tooLarge(
                what: .resultPixels, found: 10_000_000_000, limit: 100_000_000)
        ) {
            try ScaleFilter(width: 100_000, height: 100_000).apply(to: Scene.plain, scale: 1)
        }
    }

    @Test("F1: a hidden colour leaves no fringe") func fringe() throws {
        let edge = PixelBuffer.drawn(PixelSize(width: 60, height: 60)) { x, y in
            (x - 30) * (x - 30) + (y - 30) * (y - 30) < 400
                ? Pixel(red: 250, green: 250, blue: 250)
                : Pixel(red: 0, green: 0, blue: 0, alpha: 0)
        }
        for side in [17.0, 130] {
            let image = try ScaleFilter(width: side, height: side).apply(to: edge, scale: 1)
            for y in 0..<image.size.height {
                for x in 0..<image.size.width {
                    let pixel = try #require(image[x, y])
                    if pixel.alpha > 16 {
                        #expect((246...254).contains(pixel.red), "\(x), \(y): \(pixel)")
                    }
                }
            }
        }
    }
}
