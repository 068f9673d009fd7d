import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct FilterIdentityTests {
    @Test("F6: identifiers are exact") func exact() {
        let filters: [any ImageFilter] = [
            .fit(width: 600, height: 600), .fill(width: 100.25, height: 1),
            .scaled(width: 0.1, height: 1e-9), .roundedCorners(radius: 20), .circle,
            .custom(identifier: "mine") { frame, _ in frame },
            .composition([.fit(width: 60, height: 60), .circle]), .composition([]),
        ]
        #expect(
            filters.map(\.identifier) == [
                "fit(600.0,600.0)", "fill(100.25,1.0)", "scaled(0.1,1e-09)",
                "roundedCorners(20.0)", "circle", "mine",
                "composition(14:fit(60.0,60.0),6:circle)", "composition()",
            ])
        #expect(
            FitFilter(width: 0.1 + 0.2, height: 1).identifier
                != FitFilter(width: 0.3, height: 1).identifier)
    }

    @Test("F6: two different compositions never share an identifier") func unambiguous() {
        func named(_ names: String...) -> String {
            CompositionFilter(
                names.map { .custom(identifier: $0) { frame, _ in frame } as CustomFilter }
            ).identifier
        }
        let identifiers = [
            named("a", "b"), named("a,b"), named("1:a", "b"), named("a", "1:b"), named("ab"),
            named("a,1:b"), named("a", "b", ""), named("", "a", "b"), named("b", "a"),
            CompositionFilter([CompositionFilter([.circle]), .circle]).identifier,
            CompositionFilter([.circle, CompositionFilter([.circle])]).identifier,
            CompositionFilter([.circle, .circle]).identifier,
        ]
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test("F6, F10: a composition does what its filters do") func composition() throws {
        let image = try RasterImage(decoding: Fixture.data("scene.png"))
        let whole = try image.applying(.composition([.fill(width: 30, height: 20), .circle]))
        let parts = try image.applying([.fill(width: 30, height: 20), .circle])
        let single = try image.applying(.fill(width: 30, height: 20)).applying(.circle)
        #expect(whole.pixelSize == PixelSize(width: 20, height: 20))
        expectPixels(whole.posterFrame, equals: parts.posterFrame)
        expectPixels(whole.posterFrame, equals: single.posterFrame)
    }

    @Test("F10: filters work on any image and keep scale and facts") func anyImage() async throws {
        let image = try RasterImage(
            decoding: Fixture.data("orientation-6.jpg"), options: DecodeOptions(scale: 2))
        let small = try image.applying(.fit(width: 10, height: 10), .roundedCorners(radius: 2))
        #expect(small.pixelSize == PixelSize(width: 20, height: 13))
        #expect(small.scale == 2)
        #expect(small.info == image.info)
        #expect(!small.isOpaque)
        #expect(try await small.frame(at: 0) === small.posterFrame)
        let drawn = try RasterImage(Scene.plain, scale: 2).applying(.circle)
        #expect(drawn.size == PointSize(width: 32, height: 32))
    }

    @Test("F7: a filter of one's own gets pixels and scale, and may throw") func own() throws {
        struct Mirrored: ImageFilter {
            let identifier = "mirrored"
            func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
                .drawn(frame.size) { x, y in
                    frame[frame.size.width - 1 - x, y] ?? Pixel(red: 0, green: 0, blue: 0)
                }
            }
        }
        let image = RasterImage(Scene.plain, scale: 3)
        let mirrored = try image.applying(Mirrored())
        expectPixel(mirrored.posterFrame, at: 0, 0, equals: Scene.colors[1])
        let scales = try image.applying(
            .custom(identifier: "scale") { _, scale in
                .solid(Pixel(red: UInt8(scale), green: 0, blue: 0), width: 1, height: 1)
            })
        expectPixel(scales.posterFrame, at: 0, 0, equals: Pixel(red: 3, green: 0, blue: 0))
    }

    @Test("F7: an error of a filter names the filter; ours and cancellation stay what they are")
    func failure() throws {
        struct Broken: Error, CustomStringConvertible { let description = "the lens is broken" }
        let image = RasterImage(Scene.plain)
        let broken = CustomFilter(identifier: "lens") { _, _ in throw Broken() }
        let expected = ImagingError.filterFailed(identifier: "lens", reason: "the lens is broken")
        #expect(throws: expected) { try image.applying(broken) }
        #expect(throws: expected) { try image.applying(.circle, .composition([broken])) }
        #expect(throws: CancellationError.self) {
            try image.applying(.custom(identifier: "stop") { _, _ in throw CancellationError() })
        }
        #expect(throws: ImagingError.frameOutOfRange(index: 5, count: 1)) {
            try image.applying(
                .custom(identifier: "x") { _, _ in
                    throw ImagingError.frameOutOfRange(index: 5, count: 1)
                })
        }
    }
}
