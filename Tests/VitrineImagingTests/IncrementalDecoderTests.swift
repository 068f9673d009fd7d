import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct IncrementalDecoderTests {
    private let file: Data

    init() throws { file = try Fixture.data("progressive.jpg") }

    @Test("D5: a progressive JPEG is shown after each scan, finer every time")
    func previews() throws {
        let whole = try RasterImage(decoding: file).posterFrame
        var decoder = IncrementalDecoder()
        var distances: [Int] = []
        for byte in file {
            decoder.append(Data([byte]))
            guard let preview = try decoder.preview() else { continue }
            #expect(preview.pixelSize == Scene.size)
            #expect(preview.info.format == .jpeg)
            distances.append(distance(preview.posterFrame, whole))
        }
        #expect(distances.count > 3)
        #expect(distances.last == 0, "the last scan is the whole picture")
        #expect((distances.first ?? 0) > 0)
        #expect(distances == distances.sorted(by: >), "\(distances)")
        #expect(!decoder.hasPreview)
    }

    @Test("D5: how the bytes are cut does not matter, and only the newest state is made")
    func newestOnly() throws {
        var decoder = IncrementalDecoder(options: DecodeOptions(targetSize: .maximum(48)))
        decoder.append(file.prefix(file.count - 2))
        #expect(decoder.hasPreview)
        let preview = try #require(try decoder.preview())
        #expect(preview.pixelSize == PixelSize(width: 48, height: 32))
        #expect(!decoder.hasPreview)
        #expect(try decoder.preview() == nil)
        decoder.append(file.suffix(2))
        #expect(try decoder.preview() != nil, "the end completes the last scan")
        #expect(try decoder.preview() == nil)
    }

    @Test(
        "D5: rows are shown as they come, those that are missing transparent",
        arguments: [EncodingFormat.jpeg, .png, .webp, .gif])
    func rows(format: EncodingFormat) throws {
        var random = SeededRandom(seed: 4)
        let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let picture = PixelBuffer.drawn(PixelSize(width: 200, height: 200)) { x, y in
            Pixel(red: noise[y * 200 + x], green: UInt8(y), blue: UInt8(x))
        }
        let file = try RasterImage(picture).encoded(as: format)
        let whole = try RasterImage(decoding: file).posterFrame
        var decoder = IncrementalDecoder()
        var heights: [Int] = []
        for chunk in Array(file).chunks(of: 500) {
            decoder.append(Data(chunk))
            guard let preview = try decoder.preview() else { continue }
            #expect(!decoder.hasPreview)
            #expect(!preview.isComplete && preview.frameCount == 1)
            #expect(preview.pixelSize == whole.size)
            let frame = preview.posterFrame
            let height = (0..<200).prefix { frame[100, $0]?.alpha == 255 }.count
            #expect(frame[100, 0] == whole[100, 0])
            if height < 200 { #expect(frame[100, 199]?.alpha == 0) }
            heights.append(height)
        }
        #expect(heights == heights.sorted(), "\(heights)")
        #expect(heights.count > 5 && heights.count < 30, "\(heights)")
        #expect((heights.first ?? 200) < 60 && (heights.last ?? 0) > 140, "\(heights)")
    }

    @Test(
        "D5: of an animation the first frame is shown, and then no more",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func animations(name: String) throws {
        let file = try Fixture.data(name)
        let whole = try RasterImage(decoding: file)
        var decoder = IncrementalDecoder()
        var last: RasterImage?
        var shownAt = 0
        for (index, byte) in file.enumerated() {
            decoder.append(Data([byte]))
            guard let preview = try decoder.preview() else { continue }
            last = preview
            shownAt = index
        }
        let preview = try #require(last)
        #expect(preview.frameCount == 1 && !preview.isComplete)
        expectPixels(preview.posterFrame, equals: whole.posterFrame)
        #expect(shownAt < file.count * 3 / 4)
    }

    @Test("D5: a target size is met") func target() throws {
        let file = try Fixture.data("scene.bmp")
        var decoder = IncrementalDecoder(options: DecodeOptions(targetSize: .maximum(24)))
        decoder.append(file.prefix(file.count / 2))
        let preview = try #require(try decoder.preview())
        #expect(preview.pixelSize == PixelSize(width: 24, height: 16))
        #expect(preview.posterFrame[3, 0]?.alpha == 0)
        #expect(preview.posterFrame[3, 15]?.alpha == 255, "a BMP begins with its lowest row")
    }

    @Test(
        "D5: of other files there is no preview, and nothing is kept",
        arguments: [
            "interlaced.png", "scene.tiff", "scene.avif", "scene.jxl", "scene.ico", "scene.xbm",
        ])
    func others(name: String) throws {
        var decoder = IncrementalDecoder()
        var picture = ArrivingPicture()
        for chunk in Array(try Fixture.data(name)).chunks(of: 7) {
            decoder.append(Data(chunk))
            picture.append(Data(chunk))
        }
        picture.append(Data(count: 256))
        #expect(try decoder.preview() == nil)
        #expect(!picture.canBeShown)
        var text = ArrivingPicture()
        text.append(Data(repeating: 0x20, count: 300))
        #expect(!text.canBeShown)
        var large = ArrivingPicture(limits: DecodeLimits(maximumBytes: 100))
        large.append(file)
        #expect(!large.canBeShown)
    }

    @Test("D5, promise 24: damaged bytes throw or are shown, and never trap")
    func damaged() throws {
        var random = SeededRandom(seed: 5)
        let files = [file] + (try ["scene.jpg", "scene.png", "animated.gif"].map(Fixture.data))
        for round in 0..<400 {
            var bytes = files[round % files.count]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = bytes.indices.randomElement(using: &random) ?? 0
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            var decoder = IncrementalDecoder()
            for chunk in Array(bytes).chunks(of: 100) {
                decoder.append(Data(chunk))
                _ = try? decoder.preview()
            }
        }
    }

    @Test("D7: limits hold for previews too") func limits() throws {
        let limits = DecodeLimits(maximumSourcePixels: 100)
        var decoder = IncrementalDecoder(options: DecodeOptions(limits: limits))
        decoder.append(file)
        #expect(throws: ImagingError.self) { try decoder.preview() }
    }

    private func distance(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            }
        }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
