import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

/// Which JPEG files are decoded in Swift, and that the others end as libvips ends them.
@Suite struct JPEGDecoderTests {
    private static let fixtures = [
        "scene.jpg", "progressive.jpg", "subsampled.jpg", "grey.jpg", "display-p3.jpg", "cmyk.jpg",
        "grey-rgb-profile.jpg", "damaged-profile.jpg", "orientation-1.jpg", "orientation-2.jpg",
        "orientation-3.jpg", "orientation-4.jpg", "orientation-5.jpg", "orientation-6.jpg",
        "orientation-7.jpg", "orientation-8.jpg",
    ]

    /// Whether the file goes the short way to `target`.
    private static func isReduced(_ data: Data, _ target: TargetSize) -> Bool {
        data.withUnsafeBytes { bytes in
            guard let header = JPEGHeader(ByteReader(bytes)),
                let thumbnail = JPEGThumbnail(header, target: target)
            else { return false }
            return (try? thumbnail.frame(bytes, DecodeCancellation())) != nil
        }
    }

    /// How decoding ends: a size or an error.
    private static func outcome(_ decode: () throws -> RasterImage) -> String {
        do { return "\(try decode().pixelSize)" } catch {
            switch error as? ImagingError {
            case .corrupt: return "corrupt"
            default: return "\(error)"
            }
        }
    }

    @Test("R4: the header says what libvips says", arguments: fixtures) func info(name: String)
        throws
    {
        let data = try Fixture.data(name)
        let info = try ImageInfo(probing: data)
        #expect(
            info == (try VipsDecoder().probe(data, format: .jpeg, limits: DecodeLimits())),
            "\(name)")
    }

    @Test("D3, D6: a small target gives what libvips gives", arguments: fixtures)
    func small(name: String) throws {
        let data = try Fixture.data(name)
        for target in [
            TargetSize.maximum(24), .fill(width: 8, height: 8), .fit(width: 12, height: 8),
            .maximum(5),
        ] {
            let options = DecodeOptions(targetSize: target)
            let image = try RasterImage(decoding: data, options: options)
            let reference = try VipsDecoder().decode(data, format: .jpeg, options: options)
            #expect(image.info == reference.info)
            // Lanczos' filter rings at hard edges; libvips rounds where it is.
            expectPixels(
                image.posterFrame, equals: reference.posterFrame, within: 16, "\(name) \(target)")
            let isOther = ["progressive.jpg", "cmyk.jpg", "grey-rgb-profile.jpg"].contains(name)
            #expect(Self.isReduced(data, target) != isOther, "\(name)")
        }
    }

    /// The profile of a fixture, Display P3.
    private static func profile() throws -> [UInt8] {
        let file = try Fixture.data("display-p3.jpg")
        let start = try #require(file.firstRange(of: Data("ICC_PROFILE\0\u{1}\u{1}".utf8)))
        let length = Int(file[start.lowerBound - 2]) << 8 | Int(file[start.lowerBound - 1])
        return Array(file[start.upperBound..<start.lowerBound - 2 + length])
    }

    @Test("D3, D6: a profile, in parts, damaged or of another kind, counts as with libvips")
    func profiles() throws {
        let profile = try Self.profile()
        func part(_ number: UInt8, _ count: UInt8, _ bytes: some Sequence<UInt8>) -> (
            UInt8, [UInt8]
        ) {
            (0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + Array(bytes))
        }
        let half = profile.count / 2
        let whole = [part(1, 1, profile)]
        let parts = [part(1, 2, profile[..<half]), part(2, 2, profile[half...])]
        let gap = [part(1, 3, profile[..<half]), part(3, 3, profile[half...])]
        let turned = [parts[1], parts[0]]
        let damaged = [part(1, 1, Array("no profile at all".utf8))]
        let grey = [part(1, 1, profile[..<16] + Array("GRAY".utf8) + profile[20...])]
        for (index, segments) in [[], whole, parts, gap, turned, damaged, grey].enumerated() {
            for sampling in [[(1, 1)], [(2, 2), (1, 1), (1, 1)]] {
                var writer = JPEGWriter(width: 64, height: 48, sampling: sampling)
                writer.segments = segments
                let file = writer.file { component, x, y in Double(component * 60 + x * 2 + y) }
                let options = DecodeOptions(targetSize: .maximum(8))
                let image = try RasterImage(decoding: file, options: options)
                let reference = try VipsDecoder().decode(file, format: .jpeg, options: options)
                #expect(image.info == reference.info, "\(index)")
                expectPixels(
                    image.posterFrame, equals: reference.posterFrame, within: 3,
                    "profile \(index) of \(sampling.count)")
            }
        }
    }

    @Test("D3: a file that is cut short ends as libvips ends it") func truncated() throws {
        let data = JPEGWriter(width: 64, height: 48, sampling: [(2, 2), (1, 1), (1, 1)])
            .file { component, x, y in Double((x * 5 + y * 3 + component * 40) % 256) }
        let options = DecodeOptions(targetSize: .maximum(8))
        for length in 0...data.count where length % 11 == 0 || length > data.count - 9 {
            let part = data.prefix(length)
            #expect(Self.isReduced(part, .maximum(8)) == (length == data.count), "\(length)")
            guard RasterFormat(sniffing: part) == .jpeg else { continue }
            let ours = Self.outcome { try RasterImage(decoding: part, options: options) }
            let theirs = Self.outcome {
                try VipsDecoder().decode(part, format: .jpeg, options: options)
            }
            #expect(ours == theirs, "\(length) of \(data.count)")
        }
    }

    @Test("D3: a damaged file ends as libvips ends it", arguments: [0, 2]) func damaged(
        restart: Int
    ) throws {
        var writer = JPEGWriter(width: 72, height: 56, sampling: [(2, 1), (1, 1), (1, 1)])
        writer.restartInterval = restart
        writer.codes = restart == 0 ? .even : .steep
        let data = writer.file { component, x, y in Double((x * 9 + y * 5 + component * 40) % 256) }
        let options = DecodeOptions(
            targetSize: .maximum(9), limits: DecodeLimits(maximumSourcePixels: 1_000_000))
        var random = SeededRandom(seed: 31)
        var reduced = 0
        var refused = 0
        for _ in 0..<200 {
            var mutant = data
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                mutant[Int.random(in: 3..<data.count, using: &random)] ^= UInt8.random(
                    in: 1...255, using: &random)
            }
            let ours = Self.outcome { try RasterImage(decoding: mutant, options: options) }
            let theirs = Self.outcome {
                try VipsDecoder().decode(mutant, format: .jpeg, options: options)
            }
            #expect(ours == theirs)
            if Self.isReduced(mutant, .maximum(9)) { reduced += 1 }
            if Int(ours.prefix(1)) == nil { refused += 1 }
        }
        #expect(reduced > 5 && refused > 3, "\(reduced), \(refused)")
    }
}
