import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct TargetSizeTests {
    static let oneOfEach = [
        "scene.png", "scene.jpg", "progressive.jpg", "scene.gif", "scene.webp", "scene.tiff",
        "scene.heic", "scene.avif", "scene.jxl", "scene.jp2", "scene.bmp", "bmp-png.bmp",
        "scene.ico", "cmyk.jpg", "16-bit.png", "rgba.bmp", "png.ico", "scene.xbm",
        "grey-alpha.png", "rgba.webp", "palette-alpha.png", "1-bit.png", "interlaced.png",
    ]

    @Test("D3: the result has the size asked for, in every format", arguments: oneOfEach)
    func exactSize(name: String) throws {
        let data = try Fixture.data(name)
        for (target, width, height) in [
            (TargetSize.fit(width: 48, height: 100), 48, 32), (.fit(width: 7, height: 7), 7, 5),
            (.fit(width: 1, height: 1), 1, 1), (.fit(width: 1000, height: 1000), 96, 64),
            (.fill(width: 13, height: 29), 13, 29), (.fill(width: 150, height: 100), 150, 100),
            (.fill(width: 1, height: 1), 1, 1), (.fill(width: 96, height: 64), 96, 64),
            (.maximum(50), 50, 33), (.maximum(96), 96, 64), (.maximum(1), 1, 1),
        ] {
            let image = try RasterImage(decoding: data, options: DecodeOptions(targetSize: target))
            #expect(image.pixelSize == PixelSize(width: width, height: height), "\(target)")
            #expect(image.info.pixelSize == Scene.size)
        }
    }

    @Test("D3: shrinking keeps the picture", arguments: oneOfEach.prefix(13))
    func keepsPicture(name: String) throws {
        let image = try RasterImage(
            decoding: Fixture.data(name),
            options: DecodeOptions(targetSize: .fit(width: 24, height: 16))
        ).posterFrame
        for (index, (x, y)) in [(2, 6), (20, 4), (4, 13), (20, 12)].enumerated() {
            expectPixel(image, at: x, y, equals: Scene.colors[index], within: 12, name)
        }
        #expect(image.isOpaque)
    }

    @Test("D3: fill cuts evenly, also where it enlarges") func centred() throws {
        // Left and right are alike around a middle line. At these sizes as much goes on both sides; at
        // others one side loses a pixel more.
        let mirror = PixelBuffer.drawn(PixelSize(width: 9, height: 4)) { x, _ in
            Pixel(red: UInt8(abs(x - 4) * 60), green: 100, blue: 0)
        }
        let file = try RasterImage(mirror).encoded(as: .png)
        for size in [63, 64, 96] {
            let image = try RasterImage(
                decoding: file, options: DecodeOptions(targetSize: .fill(width: size, height: size))
            ).posterFrame
            for x in 0..<size {
                let left = try #require(image[x, size / 2])
                let right = try #require(image[size - 1 - x, size / 2])
                #expect(abs(Int(left.red) - Int(right.red)) <= 2, "column \(x) of \(size)")
            }
        }
    }

    @Test("D3: a hidden colour leaves no fringe") func fringe() throws {
        // Green, next to transparent pixels that are black inside.
        let edge = PixelBuffer.drawn(PixelSize(width: 64, height: 64)) { x, _ in
            x < 33
                ? Pixel(red: 0, green: 200, blue: 0)
                : Pixel(red: 0, green: 0, blue: 0, alpha: 0)
        }
        let file = try RasterImage(edge).encoded(as: .png)
        let image = try RasterImage(
            decoding: file, options: DecodeOptions(targetSize: .maximum(16))
        ).posterFrame
        for x in 0..<16 {
            let pixel = try #require(image[x, 8])
            if pixel.alpha > 8 { #expect(abs(Int(pixel.green) - 200) <= 2, "\(x): \(pixel)") }
        }
    }

    @Test("D3: a strip fills a square without a detour over billions of pixels")
    func strip() throws {
        let strip = PixelBuffer.solid(Scene.colors[0], width: 1, height: 30_000)
        let file = try RasterImage(strip).encoded(as: .png)
        let image = try RasterImage(
            decoding: file, options: DecodeOptions(targetSize: .fill(width: 300, height: 300)))
        #expect(image.pixelSize == PixelSize(width: 300, height: 300))
        expectPixel(image.posterFrame, at: 150, 150, equals: Scene.colors[0])
    }

    @Test(
        "D3: a target that is no size is an error",
        arguments: [
            TargetSize.fit(width: 0, height: 5), .fit(width: 5, height: -1),
            .fill(width: 0, height: 0),
            .fill(width: Int.min, height: 3), .maximum(0), .maximum(-7),
        ])
    func invalid(target: TargetSize) throws {
        let data = try Fixture.data("scene.png")
        #expect {
            try RasterImage(decoding: data, options: DecodeOptions(targetSize: target))
        } throws: { error in
            guard case ImagingError.invalidArgument(name: "targetSize", _) = error else {
                return false
            }
            return true
        }
    }

    @Test("D3: huge targets neither trap nor enlarge") func huge() throws {
        let data = try Fixture.data("scene.png")
        for target in [TargetSize.fit(width: .max, height: .max), .maximum(.max)] {
            let image = try RasterImage(decoding: data, options: DecodeOptions(targetSize: target))
            #expect(image.pixelSize == Scene.size)
        }
        for target in [
            TargetSize.fill(width: .max, height: .max), .fill(width: .max, height: 1),
            .fill(width: 20_000, height: 20_000),
        ] {
            #expect {
                try RasterImage(decoding: data, options: DecodeOptions(targetSize: target))
            } throws: { error in
                guard case ImagingError.tooLarge(what: .resultPixels, _, _) = error else {
                    return false
                }
                return true
            }
        }
    }
}
