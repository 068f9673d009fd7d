import FoundationEssentials
import Glibc
import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct AVIFTests {
    @Test(
        "D1, D6: every depth, range and chroma format shows the scene",
        arguments: [
            ("444.avif", 8, 3), ("422.avif", 8, 3), ("420.avif", 8, 3), ("10-bit.avif", 10, 2),
            ("12-bit.avif", 12, 1), ("limited.avif", 8, 4), ("limited-10-bit.avif", 10, 3),
            ("lossless.avif", 8, 0),
        ])
    func kinds(name: String, bits: Int, tolerance: Int) throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        #expect(image.info.bitsPerSample == bits)
        #expect(image.info.colorCodePoints == ColorCodePoints(primaries: 1, transfer: 13))
        #expect(image.isOpaque && !image.info.hasAlpha)
        // Colours at half the size blur at the edges.
        expectPixels(
            image.posterFrame, equals: Scene.plain, within: tolerance, name,
            where: Scene.isPlain)
    }

    @Test("D6: grey") func grey() throws {
        let image = try RasterImage(decoding: Fixture.data("grey.avif")).posterFrame
        // The luma of BT.601, by which the file was made.
        for (x, y, value) in [(2, 2, 88), (90, 5, 115), (5, 60, 77), (90, 60, 194), (10, 10, 255)] {
            let level = UInt8(value)
            expectPixel(
                image, at: x, y, equals: Pixel(red: level, green: level, blue: level), within: 1)
        }
    }

    @Test("D6: to a picture of grey a profile of grey counts, and one of colours does not")
    func greyProfiles() throws {
        let plain = try Fixture.data("grey.avif")
        for target in [nil, TargetSize.maximum(48)] {
            let options = DecodeOptions(targetSize: target)
            expectPixels(
                try RasterImage(decoding: Fixture.data("grey-rgb-profile.avif"), options: options)
                    .posterFrame,
                equals: try RasterImage(decoding: plain, options: options).posterFrame, within: 0)
        }
        let image = try RasterImage(decoding: plain).posterFrame
        for name in ["grey-profile.avif", "grey-alpha-profile.avif"] {
            let managed = try RasterImage(decoding: Fixture.data(name)).posterFrame
            for (x, y) in [(2, 2), (90, 5), (5, 60)] {
                // The profile's curve is a straight line.
                let light = try Double(#require(image[x, y]).red) / 255
                let level = UInt8((255 * (1.055 * pow(light, 1 / 2.4) - 0.055)).rounded())
                expectPixel(
                    managed, at: x, y, equals: Pixel(red: level, green: level, blue: level),
                    within: 2)
            }
        }
    }

    @Test(
        "D6: alpha is straight, also where the file has it premultiplied",
        arguments: [("alpha-10-bit.avif", 2), ("premultiplied.avif", 3), ("rgba.avif", 10)])
    func alpha(name: String, tolerance: Int) throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        #expect(image.info.hasAlpha && !image.isOpaque)
        expectPixels(
            image.posterFrame, equals: Scene.alpha, within: tolerance, name,
            where: Scene.isPlain)
    }

    @Test("D6: rotation and mirror, once, in all combinations") func orientations() throws {
        // Against the clock; then top to bottom (0) or left to right (1).
        for (angle, mirror, orientation) in [
            (0, nil, 1), (1, nil, 8), (2, nil, 3), (3, nil, 6), (0, 0, 4), (1, 0, 5), (2, 0, 2),
            (3, 0, 7), (0, 1, 2), (1, 1, 7), (2, 1, 4), (3, 1, 5),
        ] as [(UInt8, UInt8?, Int)] {
            var data = try Fixture.data(mirror == nil ? "turned.avif" : "mirrored.avif")
            let turn = try #require(data.firstRange(of: Data("irot".utf8)))
            data[turn.upperBound] = angle
            if let mirror {
                let box = try #require(data.firstRange(of: Data("imir".utf8)))
                data[box.upperBound] = mirror
            }
            let image = try RasterImage(decoding: data)
            let upright = try Scene.plain.withUnsafeBytes { pixels in
                try FrameFinish(orientation: orientation).frame(
                    pixels, size: Scene.size, format: .avif)
            }
            #expect(image.info == (try ImageInfo(probing: data)))
            #expect(image.info.orientation == 1)
            #expect(image.info.pixelSize == upright.size)
            expectPixels(
                image.posterFrame, equals: upright, within: 4, "\(angle), \(mirror ?? 9)")
            let target = try RasterImage(
                decoding: data, options: DecodeOptions(targetSize: .fill(width: 20, height: 12)))
            #expect(target.pixelSize == PixelSize(width: 20, height: 12))
        }
    }

    @Test("D6: the clean aperture is what is shown; a broken one counts for nothing")
    func aperture() throws {
        var data = try Fixture.data("cropped.avif")
        let image = try RasterImage(decoding: data)
        #expect(image.info.pixelSize == PixelSize(width: 40, height: 24))
        let part = PixelBuffer.drawn(PixelSize(width: 40, height: 24)) { x, y in
            Scene.plain[x + 8, y + 8] ?? .clear
        }
        expectPixels(image.posterFrame, equals: part, within: 4, "cropped")
        let box = try #require(data.firstRange(of: Data("clap".utf8)))
        data[box.upperBound + 3] = 200  // wider than the picture
        let whole = try RasterImage(decoding: data)
        expectPixels(whole.posterFrame, equals: Scene.plain, within: 4, "broken aperture")
    }

    @Test("D3: every target is met, by any kind of file") func targets() throws {
        for name in ["420.avif", "turned.avif", "premultiplied.avif", "pq.avif", "cropped.avif"] {
            let data = try Fixture.data(name)
            for (target, size) in [
                (TargetSize.fill(width: 31, height: 17), PixelSize(width: 31, height: 17)),
                (.fill(width: 200, height: 150), PixelSize(width: 200, height: 150)),
                (.fill(width: 1, height: 1), PixelSize(width: 1, height: 1)),
            ] {
                let image = try RasterImage(
                    decoding: data, options: DecodeOptions(targetSize: target))
                #expect(image.pixelSize == size)
            }
        }
    }

    @Test("D4: a sequence has its frames, times and loops") func sequence() async throws {
        let data = try Fixture.data("animated.avif")
        let image = try RasterImage(decoding: data)
        #expect(image.info.frameCount == 3)
        #expect(image.info == (try ImageInfo(probing: data)))
        #expect(image.durations == [.milliseconds(100), .milliseconds(200), .milliseconds(300)])
        #expect(image.loopCount == nil)
        // In order, back, and by a jump: later frames build on earlier ones.
        let expected = (0..<3).map { shift in
            PixelBuffer.drawn(Scene.size) { x, y in
                Scene.isMarker(x, y)
                    ? .white : Scene.colors[(Scene.quadrant(x, y) + shift) % 4]
            }
        }
        for index in [0, 1, 2, 1, 0] {
            let frame = try await image.frame(at: index)
            expectPixels(
                frame, equals: expected[index], within: 10, "frame \(index)",
                where: Scene.isPlain)
        }
        let other = try RasterImage(decoding: data)
        expectPixels(
            try await other.frame(at: 2), equals: expected[2], within: 10, "jump",
            where: Scene.isPlain)
        let first = try RasterImage(decoding: data, options: DecodeOptions(frames: .first))
        #expect(first.frameCount == 1)
        let small = try RasterImage(
            decoding: data, options: DecodeOptions(targetSize: .fill(width: 12, height: 10)))
        #expect(try await small.frame(at: 2).size == PixelSize(width: 12, height: 10))
        #expect(throws: ImagingError.tooLarge(what: .frames, found: 3, limit: 2)) {
            try RasterImage(
                decoding: data, options: DecodeOptions(limits: DecodeLimits(maximumFrames: 2)))
        }
    }

    @Test("D7: the limit of animations is none of stills") func animationLimit() throws {
        let limits = DecodeLimits(maximumAnimationPixels: 10_000)
        #expect(
            throws: ImagingError.tooLarge(what: .animationPixels, found: 18_432, limit: 10_000)
        ) {
            try ImageInfo(probing: Fixture.data("animated.avif"), limits: limits)
        }
        let still = DecodeLimits(maximumAnimationPixels: 10)
        #expect(try ImageInfo(probing: Fixture.data("420.avif"), limits: still).frameCount == 1)
    }

    /// The file with another size in its `ispe` box.
    private static func resized(_ name: String, _ width: UInt32, _ height: UInt32) throws -> Data {
        var data = try Fixture.data(name)
        let box = try #require(data.firstRange(of: Data("ispe".utf8)))
        let numbers = [width, height].flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        data.replaceSubrange(box.upperBound + 4..<box.upperBound + 12, with: numbers)
        return data
    }

    /// The most bytes that this process has had in memory.
    private static func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }

    @Test("D7: a size that its data do not have costs nothing") func lyingSize() throws {
        let before = Self.peakMemory()
        for side: UInt32 in [97, 9_000, 16_384] {
            let data = try Self.resized("scene.avif", side, side)
            let limits = DecodeLimits(maximumResultPixels: .max)
            for target: TargetSize? in [nil, .maximum(100)] {
                #expect(
                    throws: ImagingError.corrupt(
                        format: .avif, reason: "its data are of 96 × 64 pixels only")
                ) {
                    try RasterImage(
                        decoding: data,
                        options: DecodeOptions(targetSize: target, limits: limits))
                }
            }
        }
        #expect(Self.peakMemory() - before < 64 << 20)
        #expect(throws: ImagingError.corrupt(format: .avif, reason: "it has no size")) {
            try ImageInfo(probing: Self.resized("scene.avif", 0, 64))
        }
        #expect(throws: ImagingError.tooLarge(what: .dimension, found: 70_000, limit: 65_535)) {
            try ImageInfo(probing: Self.resized("scene.avif", 70_000, 64))
        }
        #expect(
            throws: ImagingError.tooLarge(
                what: .sourcePixels, found: 400_000_000, limit: 268_435_456)
        ) {
            try ImageInfo(probing: Self.resized("scene.avif", 20_000, 20_000))
        }
    }

    @Test(
        "D1: a file that lost its end, at every byte, is refused",
        arguments: ["420.avif", "premultiplied.avif", "animated.avif", "pq.avif"])
    func truncated(name: String) throws {
        let data = try Fixture.data(name)
        for count in 0..<data.count {
            #expect(throws: ImagingError.self, "\(count) of \(name)") {
                try RasterImage(decoding: data.prefix(count))
            }
        }
        #expect(throws: ImagingError.truncated(format: .avif)) {
            try RasterImage(decoding: data.dropLast())
        }
    }

    @Test("D1: every byte wrong, one at a time, traps nowhere") func flipped() throws {
        for name in ["cropped.avif", "alpha-10-bit.avif", "animated.avif"] {
            let data = try Fixture.data(name)
            let limits = DecodeLimits(maximumSourcePixels: 100_000)
            var refused = 0
            for index in 4..<min(data.count, 1200) {
                var mutant = data
                mutant[index] ^= 0xFF
                do throws(ImagingError) {
                    _ = try RasterImage(decoding: mutant, options: DecodeOptions(limits: limits))
                } catch {
                    refused += 1
                    #expect(error.description.hasSuffix("."))
                }
            }
            #expect(refused > 50)
        }
    }

    @Test("R4, D4: the header tells how a sequence is played") func playing() throws {
        let data = try Fixture.data("animated.avif")
        let info = try ImageInfo(probing: data)
        #expect(info.frameCount == 3 && info.duration == .milliseconds(600))
        #expect(info.loopCount == (try RasterImage(decoding: data).loopCount))
    }
}
