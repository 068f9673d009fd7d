import FoundationEssentials
import PixelSupport
import Testing
import VitrineBase

@testable import VitrineImaging

@Suite struct ConcurrencyTests {
    static let files = [
        "scene.png", "interlaced.png", "16-bit-alpha.png", "scene.jpg", "orientation-6.jpg",
        "orientation-3.jpg", "display-p3.jpg", "cmyk.jpg", "animated.gif", "scene.webp",
        "rgba.webp", "scene.tiff", "scene.heic", "scene.avif", "scene.jxl", "scene.jp2",
    ]

    @Test("D2: eight threads that decode the same bytes at once get the same pixels")
    func eightThreads() async throws {
        struct Job: Sendable {
            let name: String
            let data: Data
            let options: DecodeOptions
            let expected: PixelBuffer
        }
        var jobs: [Job] = []
        for name in Self.files {
            for target in [nil, TargetSize.fill(width: 30, height: 30)] {
                let data = try Fixture.data(name)
                let options = DecodeOptions(targetSize: target)
                let expected = try RasterImage(decoding: data, options: options).posterFrame
                jobs.append(Job(name: name, data: data, options: options, expected: expected))
            }
        }
        let pool = BlockingPool(name: "decode-test", threads: 8)
        let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
            // Neighbours decode the very same memory, broken files in between.
            for job in jobs {
                for copy in 0..<12 {
                    group.addTask {
                        try await pool.run {
                            if copy == 5 {
                                _ = try? RasterImage(decoding: job.data.prefix(job.data.count / 2))
                            }
                            let image = try RasterImage(decoding: job.data, options: job.options)
                                .posterFrame
                            let same = image.withUnsafeBytes { one in
                                job.expected.withUnsafeBytes { one.elementsEqual($0) }
                            }
                            return same ? nil : job.name
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { if let name = $1 { $0.append(name) } }
        }
        #expect(wrong.isEmpty)
    }

    @Test("D10: ImageMagick and other unsafe loaders stay shut") func blocked() throws {
        try VipsRuntime.start()
        #expect(libvipsVersion().hasPrefix("8."))
        let bmp = Data("BM".utf8) + Data(repeating: 0, count: 100)
        // Where it is a module, that is opened only here.
        _ = VipsModules.open("vips-magick.so")
        // Not that of SVG, which opens when one is drawn.
        for loader in ["magickload_buffer"] where VipsRuntime.has(loader) {
            let message = bmp.withUnsafeBytes { bytes in
                do throws(VipsFailure) {
                    _ = try VipsPipeline.make(loader, [("buffer", .bytes(bytes))])
                    return "opened"
                } catch {
                    return error.message
                }
            }
            #expect(message.contains("blocked"), "\(loader)")
        }
    }
}
