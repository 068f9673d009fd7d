import Glibc
import PixelSupport
import Testing
import VitrineImaging

@Suite struct GeometryFilterTests {
    @Test("F8: a crop has its edges at the nearest pixels and keeps within the picture")
    func crop() throws {
        let frame = FilterSamples.noise(20, 12)
        for (x, y, width, height, scale, left, top, right, bottom) in [
            (0, 0, 20, 12, 1, 0, 0, 20, 12), (3, 2, 5, 4, 1, 3, 2, 8, 6),
            (1.5, 0.5, 2.5, 2, 2, 3, 1, 8, 5), (-4, -4, 6, 6, 1, 0, 0, 2, 2),
            (15, 9, 1e6, 1e6, 1, 15, 9, 20, 12), (0.2, 0.2, 0.1, 0.1, 1, 0, 0, 1, 1),
            (19.4, 11.4, 0.1, 3, 1, 19, 11, 20, 12), (2.6, 0, 0.1, 1, 1, 3, 0, 4, 1),
        ] as [(Double, Double, Double, Double, Double, Int, Int, Int, Int)] {
            let filter = CropFilter(x: x, y: y, width: width, height: height)
            let image = try filter.apply(to: frame, scale: scale)
            let reference = PixelBuffer.drawn(
                PixelSize(width: right - left, height: bottom - top)
            ) { frame[$0 + left, $1 + top] ?? .clear }
            expectPixels(image, equals: reference, within: 0, filter.identifier)
        }
    }

    @Test("F8: a crop outside the picture is an error")
    func cropOutside() {
        for (x, y) in [(20, 0), (0, 12), (-5, 0), (0, -9), (1e6, 0)] as [(Double, Double)] {
            #expect(throws: ImagingError.self, "\(x), \(y)") {
                try CropFilter(x: x, y: y, width: 4, height: 4)
                    .apply(to: FilterSamples.noise(20, 12), scale: 1)
            }
        }
    }

    @Test(
        "F8: quarter turns only move pixels",
        arguments: [(1, 1), (7, 1), (5, 9), (40, 33), (64, 64)])
    func quarters(width: Int, height: Int) throws {
        let frame = FilterSamples.noise(width, height)
        func turned(_ degrees: Double) throws -> PixelBuffer {
            try RotateFilter(degrees: degrees).apply(to: frame, scale: 1)
        }
        let side = PixelBuffer.drawn(PixelSize(width: height, height: width)) { x, y in
            frame[y, height - 1 - x] ?? .clear
        }
        expectPixels(try turned(90), equals: side)
        expectPixels(try turned(-270), equals: side)
        expectPixels(try turned(450), equals: side)
        expectPixels(
            try turned(180),
            equals: .drawn(frame.size) { frame[width - 1 - $0, height - 1 - $1] ?? .clear })
        let back = try RotateFilter(degrees: -90).apply(to: side, scale: 1)
        expectPixels(back, equals: frame)
        expectPixels(try turned(270), equals: try turned(-90))
    }

    @Test(
        "F8: by any angle the corners are transparent and every pixel is where it belongs",
        arguments: [1.0, 30, 45, 89, 123, 211.5, 300, -17])
    func anyAngle(degrees: Double) throws {
        let image = try RotateFilter(degrees: degrees).apply(to: Scene.plain, scale: 1)
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let width = Int((96 * abs(cosine) + 64 * abs(sine)).rounded(.up))
        let height = Int((96 * abs(sine) + 64 * abs(cosine)).rounded(.up))
        #expect(image.size == PixelSize(width: width, height: height))
        #expect(!image.isOpaque)
        var area = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let pixel = try #require(image[x, y])
                area += Double(pixel.alpha) / 255
                // Back to the source: by the inverse turn around the centres.
                let dx = Double(x) + 0.5 - Double(width) / 2
                let dy = Double(y) + 0.5 - Double(height) / 2
                let column = dx * cosine + dy * sine + 48
                let row = -dx * sine + dy * cosine + 32
                let depth = min(column, 96 - column, row, 64 - row)
                if depth < -1.5 {
                    #expect(pixel.alpha == 0, "\(x), \(y)")
                } else if depth > 2.5 {
                    #expect(pixel.alpha == 255, "\(x), \(y)")
                    let (left, top) = (Int(column), Int(row))
                    guard Scene.isPlain(left, top), depth > 4 else { continue }
                    let expected =
                        Scene.isMarker(left, top) ? .white : Scene.colors[Scene.quadrant(left, top)]
                    expectPixel(image, at: x, y, equals: expected, within: 2, "\(degrees)°")
                }
            }
        }
        #expect(abs(area - 96 * 64) < 30, "\(area) pixels of \(96 * 64)")
    }

    @Test("F8: a flip mirrors", arguments: [(1, 1), (6, 1), (1, 5), (9, 4)])
    func flip(width: Int, height: Int) throws {
        let frame = FilterSamples.noise(width, height)
        expectPixels(
            try FlipFilter(axis: .horizontal).apply(to: frame, scale: 1),
            equals: .drawn(frame.size) { frame[width - 1 - $0, $1] ?? .clear })
        expectPixels(
            try FlipFilter(axis: .vertical).apply(to: frame, scale: 1),
            equals: .drawn(frame.size) { frame[$0, height - 1 - $1] ?? .clear })
    }

    @Test("F8: a border surrounds the picture", arguments: [(1, 1), (5, 1), (1, 4), (6, 7)])
    func border(width: Int, height: Int) throws {
        let color = Pixel(red: 1, green: 2, blue: 3, alpha: 200)
        let frame = FilterSamples.noise(width, height)
        for (points, scale, pixels) in [(1, 1, 1), (1.5, 2, 3), (10, 1, 10)]
            as [(Double, Double, Int)]
        {
            let image = try BorderFilter(width: points, color: color).apply(to: frame, scale: scale)
            expectPixels(
                image,
                equals: .drawn(
                    PixelSize(width: width + 2 * pixels, height: height + 2 * pixels)
                ) { frame[$0 - pixels, $1 - pixels] ?? color })
        }
        let opaque = FilterSamples.noise(width, height, opaque: true)
        #expect(!(try BorderFilter(width: 1, color: color).apply(to: opaque, scale: 1).isOpaque))
        #expect(try BorderFilter(width: 1, color: .white).apply(to: opaque, scale: 1).isOpaque)
    }

    @Test("F1: a canvas has exactly its size, with the picture in the middle") func canvas() throws
    {
        let frame = FilterSamples.noise(20, 12, opaque: true)
        for (width, height) in [(30, 20), (31, 21), (20, 12), (21, 12), (64, 13)] {
            let image = try FitCanvasFilter(
                width: Double(width), height: Double(height), upscales: false
            ).apply(to: frame, scale: 1)
            let (left, top) = ((width - 20) / 2, (height - 12) / 2)
            expectPixels(
                image,
                equals: .drawn(PixelSize(width: width, height: height)) {
                    frame[$0 - left, $1 - top] ?? .clear
                })
            #expect(image.isOpaque == (width == 20 && height == 12))
        }
        for (width, height) in [(40, 40), (10, 3), (7, 50), (1, 1), (200, 3)] {
            let image = try FitCanvasFilter(width: Double(width) / 2, height: Double(height) / 2)
                .apply(to: Scene.plain, scale: 2)
            #expect(image.size == PixelSize(width: width, height: height))
            // What is not within the fitted picture is transparent, and the rest opaque.
            let factor = min(Double(width) / 96, Double(height) / 64)
            let across = max(1, Int((96 * factor).rounded()))
            let down = max(1, Int((64 * factor).rounded()))
            for y in 0..<height {
                for x in 0..<width {
                    let inside =
                        (0..<across).contains(x - (width - across) / 2)
                        && (0..<down).contains(y - (height - down) / 2)
                    #expect(image[x, y]?.alpha == (inside ? 255 : 0), "\(x), \(y)")
                }
            }
        }
    }

    @Test("F1: fit enlarges only if asked") func upscales() throws {
        func size(_ width: Double, _ height: Double, _ upscales: Bool) throws -> PixelSize {
            try FitFilter(width: width, height: height, upscales: upscales)
                .apply(to: Scene.plain, scale: 1).size
        }
        #expect(try size(960, 960, true) == PixelSize(width: 960, height: 640))
        #expect(try size(960, 960, false) == PixelSize(width: 96, height: 64))
        #expect(try size(97, 64, true) == PixelSize(width: 96, height: 64))
        #expect(try size(200, 65, true) == PixelSize(width: 98, height: 65))
        #expect(try size(48, 48, true) == PixelSize(width: 48, height: 32))
        let large = try FitFilter(width: 192, height: 128, upscales: true)
            .apply(to: Scene.plain, scale: 1)
        for (index, (x, y)) in [(20, 50), (160, 30), (40, 100), (160, 100)].enumerated() {
            expectPixel(large, at: x, y, equals: Scene.colors[index], within: 2)
        }
    }

    @Test("F2: a radius in pixels is the same at every scale") func radiusUnit() throws {
        let one = try RoundedCornersFilter(radius: 9).apply(to: Scene.plain, scale: 1)
        for scale in [1, 2, 3.5] {
            let image = try RoundedCornersFilter(radius: 9, unit: .pixels)
                .apply(to: Scene.plain, scale: scale)
            expectPixels(image, equals: one)
        }
    }

    @Test(
        "F2: corners of odd pictures, by the area of circles",
        arguments: [(9, 9), (15, 8), (8, 15), (61, 43)])
    func cornerArea(width: Int, height: Int) throws {
        let frame = FilterSamples.noise(width, height, opaque: true)
        for radius in [1, 2, 3, 4, 7, 500] as [Double] {
            let image = try RoundedCornersFilter(radius: radius).apply(to: frame, scale: 1)
            var removed = 0.0
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = try #require(image[x, y])
                    removed += 1 - Double(pixel.alpha) / 255
                    #expect(pixel.alpha == image[width - 1 - x, y]?.alpha)
                    #expect(pixel.alpha == image[x, height - 1 - y]?.alpha)
                    #expect(pixel.red == frame[x, y]?.red)
                }
            }
            let real = min(radius, Double(min(width, height)) / 2)
            #expect(abs(removed - (4 - .pi) * real * real) < 1.5, "\(radius): \(removed)")
        }
    }

    @Test("F5: the combined filters do what their parts do, in this order")
    func combined() throws {
        let pairs: [(any ImageFilter, [any ImageFilter])] = [
            (
                .scaledRounded(width: 20, height: 15, radius: 4),
                [.scaled(width: 20, height: 15), .roundedCorners(radius: 4)]
            ),
            (
                .fillRounded(width: 20, height: 30, radius: 4, unit: .pixels),
                [.fill(width: 20, height: 30), .roundedCorners(radius: 4, unit: .pixels)]
            ),
            (.scaledCircle(width: 21, height: 15), [.scaled(width: 21, height: 15), .circle]),
            (.fillCircle(width: 13, height: 30), [.fill(width: 13, height: 30), .circle]),
        ]
        for (whole, parts) in pairs {
            let image = RasterImage(Scene.alpha, scale: 2)
            let one = try image.applying(whole)
            expectPixels(
                one.posterFrame, equals: try image.applying(parts).posterFrame, within: 0,
                whole.identifier)
            #expect(one.scale == 2)
            #expect(!one.isOpaque)
        }
    }
}
