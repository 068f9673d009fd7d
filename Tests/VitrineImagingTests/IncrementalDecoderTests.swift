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
        "D5: of other files there is no preview",
        arguments: ["scene.jpg", "scene.png", "scene.webp", "scene.gif", "cmyk.jpg"])
    func others(name: String) throws {
        var decoder = IncrementalDecoder()
        for chunk in Array(try Fixture.data(name)).chunks(of: 7) { decoder.append(Data(chunk)) }
        #expect(!decoder.hasPreview)
        #expect(try decoder.preview() == nil)
    }

    @Test("D5, promise 24: damaged bytes throw or are shown, and never trap")
    func damaged() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            var bytes = file
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
