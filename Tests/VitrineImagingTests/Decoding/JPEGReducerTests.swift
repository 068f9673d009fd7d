import DeterminismSupport
import FoundationEssentials
import Glibc
import PixelSupport
import Testing

@testable import VitrineImaging

/// What is decoded in Swift, beside the same file decoded by libjpeg through libvips.
@Suite struct JPEGReducerTests {
    /// The whole picture `shrink` times smaller; nil if it is not for the reducer.
    private static func reduced(_ data: Data, by shrink: Int) throws -> PixelBuffer? {
        try data.withUnsafeBytes { bytes in
            guard let header = JPEGHeader(ByteReader(bytes)),
                let reducer = JPEGReducer(bytes, header, by: shrink)
            else { return nil }
            let (width, height) = (reducer.size.width, reducer.size.height)
            var samples = [Float](repeating: 0, count: width * reducer.planes)
            var pixels: [Pixel] = []
            do {
                try reducer.forEachRow { planes in
                    samples.withUnsafeMutableBufferPointer {
                        guard let start = $0.baseAddress else { return }
                        JPEGColors.convert(planes, count: width, into: start)
                    }
                    for x in 0..<width {
                        let channels = (0..<3).map { channel in
                            UInt8(samples[min(channel, reducer.planes - 1) * width + x].rounded())
                        }
                        pixels.append(
                            Pixel(red: channels[0], green: channels[1], blue: channels[2]))
                    }
                }
            } catch is JPEGReducer.Irregular {
                return nil
            }
            #expect(pixels.count == width * height)
            return PixelBuffer.drawn(reducer.size) { pixels[$1 * width + $0] }
        }
    }

    /// The same by libjpeg; libvips leaves out a last row or column that is not whole.
    private static func reference(_ data: Data, by shrink: Int) throws -> PixelBuffer {
        try VipsRuntime.start()
        return try data.withUnsafeBytes { bytes in
            let image = try VipsPipeline.make(
                "jpegload_buffer", [("buffer", .bytes(bytes)), ("shrink", .int(shrink))]
            ).asRGBA()
            return try PixelBuffer(size: image.size) { try image.render(into: $0) }
        }
    }

    /// Hard and soft edges of many sizes, the same for each seed.
    private static func texture(_ seed: UInt64) -> (_ component: Int, _ x: Int, _ y: Int) -> Double
    {
        { component, x, y in
            let (x, y) = (Double(x), Double(y))
            let wave = sin(x * 0.7 + y * 0.31 + Double(seed)) * 40 + cos(y * 1.9 - x * 0.2) * 30
            let soft = 128 + 60 * sin(x * 0.05 + Double(component)) * cos(y * 0.04)
            let edge = (Int(x) / 11 + Int(y) / 7) % 2 == 0 ? 25.0 : -25
            return min(max(component == 0 ? soft + wave + edge : soft, 0), 255)
        }
    }

    /// Grey, 4:4:4 and 4:2:0, of which libjpeg makes chrominance as large as luminance in the same way.
    private static let plain = [
        [(across: 1, down: 1)], [(2, 1)], [(1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
    ]

    /// Expects the whole picture, `shrink` times smaller, to be what libjpeg makes of it.
    private static func check(
        _ writer: JPEGWriter, by shrink: Int, seed: UInt64, within tolerance: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = writer.file(texture(seed))
        let image = try #require(try reduced(file, by: shrink))
        guard min(writer.width, writer.height) >= shrink else { return }
        let reference = try reference(file, by: shrink)
        let part = PixelBuffer.drawn(reference.size) { x, y in
            image[x, y] ?? Pixel(red: 0, green: 0, blue: 0, alpha: 0)
        }
        expectPixels(
            part, equals: reference, within: tolerance,
            "\(writer.sampling) \(writer.width) × \(writer.height)",
            sourceLocation: sourceLocation)
    }

    // libjpeg rounds luminance and chrominance to whole numbers before it mixes them, so that colours
    // may differ by 2.
    @Test(
        "D3: the samples are those of libjpeg's scaled decoding", arguments: [2, 4, 8],
        [(1, 1), (7, 9), (8, 8), (9, 8), (17, 33), (63, 65), (100, 41)])
    func sizes(shrink: Int, size: (Int, Int)) throws {
        for sampling in Self.plain {
            let writer = JPEGWriter(width: size.0, height: size.1, sampling: sampling)
            try Self.check(
                writer, by: shrink, seed: UInt64(size.0),
                within: sampling.count == 1 ? 1 : 2)
        }
    }

    @Test(
        "D3: whatever the code, the restarts and the strength of coefficients",
        arguments: [2, 4, 8], JPEGWriter.Codes.allCases)
    func codes(shrink: Int, codes: JPEGWriter.Codes) throws {
        for (restart, step) in [(0, 1), (1, 12), (3, 1), (5, 60)] {
            for sampling in Self.plain.suffix(2) {
                var writer = JPEGWriter(width: 70, height: 50, sampling: sampling)
                writer.codes = codes
                writer.restartInterval = restart
                writer.step = step
                try Self.check(writer, by: shrink, seed: UInt64(restart), within: 2)
            }
        }
    }

    // Here libjpeg repeats or mixes the samples of chrominance, which are soft in this picture.
    @Test(
        "D3: chrominance sampled in other ways is at the right place", arguments: [2, 4, 8],
        [[2, 1, 1], [1, 2, 1], [4, 1, 1], [4, 2, 1], [2, 2, 2]])
    func otherSampling(shrink: Int, factors: [Int]) throws {
        let chroma = (across: factors[2], down: 1)
        let writer = JPEGWriter(
            width: 90, height: 70, sampling: [(factors[0], factors[1]), chroma, chroma])
        guard 8 / shrink * factors[0] <= 8 else {
            #expect(try Self.reduced(writer.file(Self.texture(1)), by: shrink) == nil)
            return
        }
        try Self.check(writer, by: shrink, seed: 1, within: 12)
    }

    @Test(
        "D3, D6: a thumbnail is the whole picture, made smaller",
        arguments: 1...8 as ClosedRange<UInt8>)
    func thumbnails(orientation: UInt8) throws {
        for sampling in [Self.plain[0], Self.plain[3]] {
            var writer = JPEGWriter(width: 403, height: 302, sampling: sampling)
            writer.segments = [
                (
                    0xE1,
                    Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
                        + [0, orientation, 0, 0, 0, 0, 0, 0]
                )
            ]
            let file = writer.file { component, x, y in
                let (x, y) = (Double(x), Double(y))
                return 128 + 90 * sin(x * 0.06 + Double(component)) * cos(y * 0.05)
            }
            let whole = try VipsDecoder().decode(file, format: .jpeg, options: DecodeOptions())
            for target in [
                TargetSize.maximum(90), .fill(width: 40, height: 40), .fill(width: 9, height: 30),
                .maximum(2),
            ] {
                let image = try RasterImage(
                    decoding: file, options: DecodeOptions(targetSize: target))
                #expect(image.info == whole.info)
                #expect(image.info.orientation == Int(orientation))
                #expect(image.isOpaque)
                let reference = try VipsResizer.resize(
                    whole.posterFrame, by: ResizePlan(target, source: whole.pixelSize))
                expectPixels(
                    image.posterFrame, equals: reference, within: 6,
                    "\(sampling.count) \(target) \(orientation)")
            }
        }
    }
}
