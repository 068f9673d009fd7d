import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct BadAnimationTests {
    private static let drawn = DrawnAnimation.random(
        frames: 4, seed: 11,
        colors: [AnimationTests.red, AnimationTests.blue, AnimationTests.clear],
        onlyBlends: true)

    private static func files() throws -> [(RasterFormat, Data)] {
        var webp = drawn
        for index in webp.frames.indices where webp.frames[index].disposal == .restore {
            webp.frames[index].disposal = .clear
        }
        return [
            (.gif, drawn.gif()), (.gif, drawn.gif(interlaced: true)), (.png, drawn.png()),
            (.webp, try webp.webp()),
        ]
    }

    @Test("D1, D4: an animation cut anywhere is an error") func everyCut() throws {
        for (format, data) in try Self.files() {
            for count in 0..<data.count {
                #expect(throws: ImagingError.self, "\(count) bytes of \(format)") {
                    try RasterImage(decoding: data.prefix(count))
                }
                _ = try? ImageInfo(probing: data.prefix(count))
            }
            #expect(try RasterImage(decoding: data + Data([1, 2, 3])).frameCount == 4)
        }
    }

    @Test("D1, D4: every byte may be anything: nothing traps") func everyByte() throws {
        for (_, data) in try Self.files() {
            var random = SeededRandom(seed: 3)
            var decoded = 0
            for index in data.indices {
                for value in [0xFF, UInt8.random(in: 0...255, using: &random)] {
                    var mutant = data
                    mutant[index] = value
                    if Self.play(mutant) { decoded += 1 }
                }
            }
            #expect(decoded > 0)
        }
    }

    @Test("D1, D4: several bytes may be anything", arguments: [1, 2, 3] as [UInt64])
    func mutations(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for (_, data) in try Self.files() {
            for _ in 0..<300 {
                var mutant = data
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let index = Int.random(in: 0..<mutant.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: mutant.remove(at: index)
                    case 1: mutant.insert(UInt8.random(in: 0...255, using: &random), at: index)
                    default: mutant[index] = UInt8.random(in: 0...255, using: &random)
                    }
                    if mutant.count < 20 { break }
                }
                _ = Self.play(mutant)
            }
        }
    }

    /// Decodes all frames; false where that is an error.
    private static func play(_ data: Data) -> Bool {
        let limits = DecodeLimits(
            maximumSourcePixels: 1_000_000, maximumResultPixels: 1_000_000, maximumFrames: 50,
            maximumAnimationPixels: 2_000_000)
        do {
            let image = try RasterImage(
                decoding: data, options: DecodeOptions(targetSize: .maximum(64), limits: limits))
            try image.forEachFrame { frame, _ in #expect(frame.size == image.pixelSize) }
            return true
        } catch {
            #expect(error is ImagingError, "\(error)")
            return false
        }
    }

    @Test("D4: damage within a later frame shows there, and only there") func laterDamage()
        async throws
    {
        let whole = DrawnAnimation.Frame(width: 4, height: 4, AnimationTests.red)
        let animation = DrawnAnimation(width: 4, height: 4, frames: [whole, whole, whole])
        var data = animation.gif()
        // The first code of the second frame becomes one that means nothing yet.
        let second = try #require(
            data.withUnsafeBytes { AnimationOutline(gif: $0, storing: 9) }?.frames[1])
        data[second.payload.lowerBound + 12] = 0x7F
        let image = try RasterImage(decoding: data)
        await #expect {
            try await image.frame(at: 1)
        } throws: { error in
            guard case ImagingError.corrupt(format: .gif, _) = error else { return false }
            return true
        }
        // The third one covers the picture and needs no other.
        expectPixels(try await image.frame(at: 2), equals: image.posterFrame)
    }

    @Test("D4: an APNG that breaks its rules is corrupt") func rules() throws {
        let data = Self.drawn.png()
        func without(_ kind: String, _ number: Int) -> Data {
            let places = data.withUnsafeBytes { bytes -> [Range<Int>] in
                var chunks = PNGChunks(bytes)
                var found: [Range<Int>] = []
                while let chunk = chunks.next() {
                    if chunk.kind == kind { found.append(chunk.start..<chunk.end) }
                }
                return found
            }
            var copy = data
            copy.removeSubrange(places[number])
            return copy
        }
        for broken in [
            without("fcTL", 0), without("fcTL", 1), without("fcTL", 3), without("fdAT", 0),
            without("fdAT", 2),
        ] {
            #expect {
                try RasterImage(decoding: broken)
            } throws: { error in
                guard case ImagingError.corrupt(format: .png, _) = error else { return false }
                return true
            }
        }
        // Without the chunk that says so, it is a still picture.
        #expect(try RasterImage(decoding: without("acTL", 0)).frameCount == 1)
    }

    @Test("D7: limits of animations are held before anything is decoded") func limits() throws {
        for (format, data) in try Self.files() {
            for (limits, error) in [
                (
                    DecodeLimits(maximumFrames: 3),
                    ImagingError.tooLarge(what: .frames, found: 4, limit: 3)
                ),
                (
                    DecodeLimits(maximumAnimationPixels: 559),
                    .tooLarge(what: .animationPixels, found: 560, limit: 559)
                ),
                (
                    DecodeLimits(maximumResultPixels: 139),
                    .tooLarge(what: .resultPixels, found: 140, limit: 139)
                ),
            ] {
                #expect(throws: error, "\(format)") {
                    try RasterImage(decoding: data, options: DecodeOptions(limits: limits))
                }
            }
            #expect(throws: Never.self) {
                try ImageInfo(
                    probing: data,
                    limits: DecodeLimits(maximumFrames: 4, maximumAnimationPixels: 560))
            }
        }
        #expect(
            ImagingError.tooLarge(what: .animationPixels, found: 5000, limit: 4000).description
                == "All frames have 5,000 pixels; 4,000 are allowed.")
    }

    @Test("D7: a few bytes of GIF take no memory for a large frame") func sliver() throws {
        var animation = DrawnAnimation(
            width: 4, height: 4, frames: [.init(width: 4, height: 4, AnimationTests.red)])
        var data = animation.gif()
        let frame = try #require(
            data.withUnsafeBytes { AnimationOutline(gif: $0, storing: 9) }?.frames[0])
        for (offset, byte) in [(5, 0), (6, 0x40), (7, 0), (8, 0x40)] as [(Int, UInt8)] {
            data[frame.payload.lowerBound + offset] = byte  // 16,384 × 16,384
        }
        #expect(
            throws: ImagingError.corrupt(format: .gif, reason: "a frame has too little data")
        ) {
            try RasterImage(decoding: data, options: DecodeOptions(targetSize: .maximum(10)))
        }
        animation.frames = []
        #expect(throws: ImagingError.corrupt(format: .gif, reason: "it has no picture")) {
            try RasterImage(decoding: animation.gif())
        }
        animation.frames = [.init(width: 0, height: 0, [])]
        animation.width = 0
        #expect(throws: ImagingError.corrupt(format: .gif, reason: "it has no size")) {
            try RasterImage(decoding: animation.gif())
        }
    }

    @Test("promise 24: a WebP whose header tells less than it has is an error or a part")
    func shortRIFF() throws {
        let whole = try Fixture.data("animated.webp")
        for size in 0..<80 {
            var data = whole
            data[4] = UInt8(size)
            for place in 5..<8 { data[place] = 0 }
            #expect(throws: ImagingError.self, "\(size)") { try RasterImage(decoding: data) }
            let options = DecodeOptions(damage: .readablePart)
            if let part = try? RasterImage(decoding: data, options: options) {
                #expect(!part.isComplete && part.pixelSize.width > 0, "\(size)")
            }
            _ = try? ImageInfo(probing: data)
            _ = try? RasterImage(decoding: data.prefix(size), options: options)
        }
    }
}
