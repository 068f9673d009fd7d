import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct FrameSharingTests {
    private static let animation = DrawnAnimation.random(
        frames: 60, seed: 5,
        colors: [AnimationTests.red, AnimationTests.green, AnimationTests.clear])

    private static func files() throws -> [(String, Data, [PixelBuffer])] {
        var solid = DrawnAnimation.random(
            frames: 60, seed: 5,
            colors: [AnimationTests.red, AnimationTests.green, AnimationTests.clear],
            onlyBlends: true)
        let gif = (solid.gif(), solid.shown())
        for index in solid.frames.indices { solid.frames[index].disposal = .keep }
        return [
            ("GIF", gif.0, gif.1), ("APNG", animation.png(), animation.shown()),
            ("WebP", try solid.webp(), solid.shown()),
        ]
    }

    @Test("D4: many readers at many places see the right frames", arguments: [0, 3000, 1 << 25])
    func readers(memory: Int) async throws {
        for (name, data, seen) in try Self.files() {
            let image = try RasterImage(
                decoding: data, options: DecodeOptions(animationMemory: memory))
            let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
                for reader in 0..<10 {
                    group.addTask {
                        var random = SeededRandom(seed: UInt64(reader))
                        var wrong = 0
                        var index = reader * 6
                        for _ in 0..<80 {
                            // Most go on in order, some jump.
                            index =
                                reader % 3 == 0
                                ? Int.random(in: 0..<60, using: &random)
                                : (index + 1) % 60
                            let frame = try await image.frame(at: index)
                            if !frame.isAlike(seen[index]) { wrong += 1 }
                        }
                        return wrong
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(wrong == 0, "\(name)")
        }
    }

    @Test("D4, F9: copies share what is drawn; what is filtered differently does not") func shared()
        async throws
    {
        let image = try RasterImage(decoding: Self.animation.png())
        let copy = image
        let frame = try await image.frame(at: 9)
        #expect(try await copy.frame(at: 9) === frame)
        #expect(try await image.frame(at: 0) === image.posterFrame)
        let filtered = try image.applying(.circle)
        #expect(try await filtered.frame(at: 9) !== frame)
    }

    @Test("D4: frames that are kept stay within the bound") func memoryBound() async throws {
        for (name, data, seen) in try Self.files() {
            let size = seen[0].byteCount
            let image = try RasterImage(
                decoding: data, options: DecodeOptions(animationMemory: size * 12))
            let source = try #require(image.animation, "\(name)")
            for index in 0..<60 {
                _ = try await image.frame(at: index)
                #expect(source.usage <= size * 12)
            }
            #expect(source.usage >= size * 5)
            #expect(image.cost >= data.count + source.usage)
            #expect(image.cost <= data.count + size * 12)
        }
    }

    @Test("D4: an animation costs no more than all its frames need") func cost() throws {
        for (name, data, seen) in try Self.files() {
            let image = try RasterImage(decoding: data)
            // Two canvases, each with what a frame may have to restore.
            #expect(image.cost <= data.count + seen[0].byteCount * (60 + 4), "\(name)")
            #expect(image.cost >= data.count + seen[0].byteCount * 60, "\(name)")
        }
    }

    @Test("D4: whoever is cancelled gets no frame, and others do") func cancelling() async throws {
        let image = try RasterImage(
            decoding: Self.animation.png(), options: DecodeOptions(animationMemory: 0))
        for round in 0..<20 {
            let given = Task { try await image.frame(at: 59) }
            let kept = Task { try await image.frame(at: 58) }
            if round % 2 == 0 { await Task.yield() }
            given.cancel()
            do { _ = try await given.value } catch { #expect(error is CancellationError) }
            #expect(try await kept.value.size == PixelSize(width: 14, height: 10))
        }
        let early = Task {
            try await Task.sleep(for: .seconds(60))
            return try await image.frame(at: 30)
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test("D4: key frames are those that need no other") func keyFrames() throws {
        let (red, clear) = (AnimationTests.red, AnimationTests.clear)
        let animation = DrawnAnimation(
            width: 4, height: 2,
            frames: [
                .init(x: 2, width: 2, height: 2, red),
                .init(width: 4, height: 2, red),  // covers all
                .init(width: 2, height: 2, red),
                .init(width: 4, height: 2, Array(repeating: clear, count: 8)),  // shows through
                .init(width: 4, height: 2, then: .restore, red),  // what lies beneath comes again
                .init(width: 4, height: 2, then: .clear, red),
                .init(width: 2, height: 2, red),  // begins on nothing
            ])
        let outline = animation.gif().withUnsafeBytes { AnimationOutline(gif: $0, storing: 100) }
        #expect(try #require(outline).keyFrames() == [0, 1, 1, 1, 1, 5, 6])
    }
}

extension RasterImage {
    /// Where its frames come from, if it is an animated file.
    fileprivate var animation: AnimationSource? {
        Mirror(reflecting: self).descendant("source") as? AnimationSource
    }
}

extension PixelBuffer {
    /// Whether no channel differs by more than rounding may.
    fileprivate func isAlike(_ other: PixelBuffer) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                stride(from: 0, to: one.count, by: 4).allSatisfy { place in
                    one[place + 3] == 0 && other[place + 3] == 0
                        || (place..<place + 4).allSatisfy {
                            abs(Int(one[$0]) - Int(other[$0])) <= 1
                        }
                }
            }
        }
    }
}
