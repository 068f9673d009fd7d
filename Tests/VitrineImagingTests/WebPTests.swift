import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

/// What libwebp decodes, beside the same file decoded through libvips.
@Suite struct WebPTests {
    /// The ICC profile of a fixture, Display P3.
    private static func profile() throws -> Data {
        let file = try Fixture.data("display-p3.jpg")
        let start = try #require(file.firstRange(of: Data("ICC_PROFILE\0\u{1}\u{1}".utf8)))
        let length = Int(file[start.lowerBound - 2]) << 8 | Int(file[start.lowerBound - 1])
        return file[start.upperBound..<start.lowerBound - 2 + length]
    }

    /// EXIF data with nothing but an orientation.
    private static func exif(_ orientation: UInt8) -> Data {
        Data(
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation])
            + Data(repeating: 0, count: 6)
    }

    /// The WebP with a profile and an orientation put in.
    private static func tagged(
        _ name: String, profile: Data?, orientation: UInt8?
    ) throws -> Data {
        let file = try Fixture.data(name)
        func chunk(_ kind: String, _ body: Data) -> Data {
            let size = withUnsafeBytes(of: UInt32(body.count).littleEndian) { Data($0) }
            return Data(kind.utf8) + size + body + Data(repeating: 0, count: body.count % 2)
        }
        var flags: UInt8 = (profile == nil ? 0 : 0x20) | (orientation == nil ? 0 : 8)
        var rest = file.dropFirst(12)
        if rest.starts(with: "VP8X".utf8) {
            flags |= file[20] & ~8
            rest = rest.dropFirst(18)
        }
        // The encoder writes EXIF data of its own, behind all else.
        if let own = rest.firstRange(of: Data("EXIF".utf8)) { rest = rest[..<own.lowerBound] }
        var body = Data("WEBP".utf8)
        body += chunk("VP8X", Data([flags, 0, 0, 0, 95, 0, 0, 63, 0, 0]))
        if let profile { body += chunk("ICCP", profile) }
        body += rest
        if let orientation { body += chunk("EXIF", exif(orientation)) }
        return chunk("RIFF", body)
    }

    private static let targets: [TargetSize?] = [
        nil, .maximum(50), .maximum(20), .fill(width: 31, height: 31),
        .fill(width: 200, height: 20), .fit(width: 7, height: 90),
    ]

    @Test(
        "D1, D3, D6: a still WebP is what libvips makes of it",
        arguments: ["scene.webp", "rgba.webp"], [nil, 1, 3, 6, 7] as [UInt8?])
    func still(name: String, orientation: UInt8?) throws {
        for profile in [nil, try Self.profile()] {
            let data = try Self.tagged(name, profile: profile, orientation: orientation)
            for target in Self.targets {
                let options = DecodeOptions(targetSize: target)
                let image = try RasterImage(decoding: data, options: options)
                let reference = try VipsDecoder().decode(data, format: .webp, options: options)
                #expect(image.info == reference.info)
                #expect(image.info == (try ImageInfo(probing: data)))
                #expect(image.info.hasColorProfile == (profile != nil))
                #expect(image.info.orientation == Int(orientation ?? 1))
                let whole = image.posterFrame.size
                // Where sizes are rounded differently on the way, edges differ; what is plain must not.
                let far = { (x: Int, y: Int) in
                    let width = orientation ?? 1 > 4 ? Scene.size.height : Scene.size.width
                    return target == nil || whole.width * 2 > width * 3 || (x + y) % 7 == 0
                }
                let tolerance = target == nil ? 1 : 40
                expectPixels(
                    image.posterFrame, equals: reference.posterFrame, within: tolerance,
                    "\(name) \(orientation ?? 0)", where: far)
            }
        }
    }

    @Test("D4, D6: profile and orientation count for every frame") func animated() async throws {
        let plain = try RasterImage(decoding: Fixture.data("animated.webp"))
        let data = try Self.tagged(
            "animated.webp", profile: try Self.profile(), orientation: 6)
        let image = try RasterImage(decoding: data)
        #expect(image.frameCount == 3)
        #expect(image.pixelSize == PixelSize(width: 64, height: 96))
        #expect(image.info.orientation == 6)
        for index in 0..<3 {
            let frame = try await image.frame(at: index)
            let upright = try await plain.frame(at: index)
            #expect(frame.size == image.pixelSize)
            // Lower left goes to upper left.
            let stored = try #require(upright[1, 62])
            let shown = try #require(frame[1, 1])
            #expect(stored != shown, "P3 is not sRGB")
            let distance = [
                abs(Int(stored.red) - Int(shown.red)), abs(Int(stored.green) - Int(shown.green)),
                abs(Int(stored.blue) - Int(shown.blue)),
            ].max()
            #expect(try #require(distance) < 60)
        }
        let small = try RasterImage(
            decoding: data, options: DecodeOptions(targetSize: .fill(width: 20, height: 30)))
        #expect(try await small.frame(at: 2).size == PixelSize(width: 20, height: 30))
    }

    @Test("D1: a WebP whose data are damaged is an error") func damaged() throws {
        let data = try Fixture.data("rgba.webp")
        var random = SeededRandom(seed: 9)
        var refused = 0
        for _ in 0..<400 {
            var mutant = data
            for _ in 0..<3 {
                mutant[Int.random(in: 12..<data.count, using: &random)] ^= UInt8.random(
                    in: 1...255, using: &random)
            }
            do throws(ImagingError) {
                let limits = DecodeLimits(maximumSourcePixels: 1_000_000)
                _ = try RasterImage(decoding: mutant, options: DecodeOptions(limits: limits))
            } catch {
                refused += 1
                #expect(error.description.hasSuffix("."))
            }
        }
        #expect(refused > 20)
    }
}
