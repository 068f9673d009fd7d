import Foundation
import PixelSupport
import Testing
import VitrineBase

@testable import VitrineImaging

@Suite(.timeLimit(.minutes(2))) struct DecodeCancellationTests {
    /// Decodes on a thread of its own, cancels once that has begun, and says how it ended.
    private func cancelled(
        _ data: Data, _ options: DecodeOptions = DecodeOptions()
    ) async throws -> Result<PixelSize, any Error> {
        let cancellation = DecodeCancellation()
        let hasBegun = Lock(false)
        let decode = Task {
            try await BlockingPool.frames.run {
                hasBegun.withLock { $0 = true }
                return try RasterImage(
                    decoding: data, options: options, cancellation: cancellation
                ).pixelSize
            }
        }
        while !hasBegun.withLock({ $0 }) { await Task.yield() }
        try await Task.sleep(for: .milliseconds(20))
        cancellation.cancel()
        return await decode.result
    }

    @Test("promise 6: a large PNG that is being decoded stops") func largePNG() async throws {
        let bomb = Bomb.png(width: 50_000, height: 50_000)  // takes more than 10 s
        let options = DecodeOptions(
            targetSize: .maximum(32), limits: DecodeLimits(maximumSourcePixels: .max))
        let end = try await cancelled(bomb, options)
        #expect(throws: ImagingError.cancelled) { try end.get() }
    }

    @Test("promise 6: a large JPEG that is being decoded stops, turned or not", arguments: [1, 6])
    func largeJPEG(orientation: UInt8) async throws {
        let scene = RasterImage(Scene.plain)
        let large = try scene.applying([ScaleFilter(width: 5000, height: 5000)])
        var jpeg = try large.encoded(as: .jpeg)
        // An APP1 segment with EXIF data of one entry, behind the start marker.
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif".utf8) + [0, 0] + Array("MM".utf8)
            + [
                0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0,
                0,
            ]
        jpeg.insert(contentsOf: exif, at: 2)
        #expect(try ImageInfo(probing: jpeg).orientation == Int(orientation))
        let end = try await cancelled(jpeg)
        #expect(throws: ImagingError.cancelled) { try end.get() }
    }

    @Test(
        "promise 6: every decoder asks while it decodes",
        arguments: [
            "scene.png", "scene.jpg", "scene.webp", "scene.gif", "scene.tiff", "scene.heic",
            "scene.avif", "scene.jxl", "scene.jp2", "animated.gif", "animated.png",
            "animated.webp", "scene.bmp", "bmp-rle8.bmp", "scene.ico", "png.ico", "scene.xbm",
        ])
    func everyDecoder(name: String) throws {
        let data = try Fixture.data(name)
        let (decoder, format) = try DecoderRegistry.standard.decoder(for: data)
        let cancellation = DecodeCancellation()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        // The decoders themselves do not ask before they begin.
        for target in [nil, TargetSize.maximum(10)] {
            #expect(throws: ImagingError.cancelled) {
                _ = try decoder.decode(
                    data, format: format, options: DecodeOptions(targetSize: target),
                    cancellation: cancellation)
            }
        }
        // And what was cancelled leaves nothing behind.
        _ = try decoder.decode(data, format: format, options: DecodeOptions())
    }

    @Test("promise 6: no filter begins after a cancellation; frames to come do not mind it")
    func filters() async throws {
        let image = try RasterImage(decoding: Fixture.data("animated.gif"))
        let cancellation = DecodeCancellation()
        let count = Lock(0)
        let counting = CustomFilter(identifier: "count") { frame, _ in
            count.withLock { $0 += 1 }
            return frame
        }
        let cancelling = CustomFilter(identifier: "cancel") { frame, _ in
            cancellation.cancel()
            return frame
        }
        #expect(throws: ImagingError.cancelled) {
            try image.applying([counting, cancelling, counting], cancellation: cancellation)
        }
        #expect(count.withLock { $0 } == 1)
        let last = try image.applying([cancelling], cancellation: DecodeCancellation())
        #expect(try await last.frame(at: 1).size == image.pixelSize)
    }

    @Test("what stops foreign code is told once, whenever the cancellation comes")
    func stopping() throws {
        let stops = Lock(0)
        let cancellation = DecodeCancellation()
        let stop: @Sendable () -> Void = { stops.withLock { $0 += 1 } }
        cancellation.stopping(by: stop) {}
        cancellation.stopping(by: stop) {
            cancellation.cancel()
            cancellation.cancel()
        }
        #expect(stops.withLock { $0 } == 1, "the first one was over")
        cancellation.stopping(by: stop) {}
        #expect(stops.withLock { $0 } == 2, "before it began")
        #expect(throws: ImagingError.cancelled) { try cancellation.check() }
    }
}
