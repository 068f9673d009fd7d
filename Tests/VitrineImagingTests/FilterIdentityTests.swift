import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct FilterIdentityTests {
    @Test("F6: identifiers are exact") func exact() {
        let filters: [any ImageFilter] = [
            .fit(width: 600, height: 600), .fill(width: 100.25, height: 1),
            .scaled(width: 0.1, height: 1e-9), .roundedCorners(radius: 20), .circle,
            .roundedCorners(radius: 20, unit: .pixels), .fit(width: 6, height: 6, upscales: true),
            .fitCanvas(width: 6, height: 6), .tint(.white, mode: .multiply), .blur(), .sharpen(),
            .fillRounded(width: 6, height: 6, radius: 2), .flip(.horizontal),
            .custom(identifier: "mine") { frame, _ in frame },
            .composition([.fit(width: 60, height: 60), .circle]), .composition([]),
        ]
        #expect(
            filters.map(\.identifier) == [
                "fit(600.0,600.0)", "fill(100.25,1.0)", "scaled(0.1,1e-09)",
                "roundedCorners(20.0)", "circle", "roundedCorners(20.0,pixels)",
                "fit(6.0,6.0,upscales)", "fitCanvas(6.0,6.0,upscales)", "tint(ffffffff,multiply)",
                "blur(10.0)", "sharpen(1.0,0.7)", "fillRounded(6.0,6.0,2.0,points)",
                "flip(horizontal)", "mine",
                "composition(14:fit(60.0,60.0),6:circle)", "composition()",
            ])
        #expect(
            FitFilter(width: 0.1 + 0.2, height: 1).identifier
                != FitFilter(width: 0.3, height: 1).identifier)
    }

    @Test("F6: two different filters never share an identifier") func distinct() {
        let numbers = [0.1, 0.30000000000000004, 0.3, 1, 1.5, 10]
        let colors = [Pixel.clear, .black, .white, Pixel(red: 0, green: 0, blue: 1)]
        var filters: [any ImageFilter] = [.circle]
        for one in numbers {
            filters +=
                [
                    .roundedCorners(radius: one), .roundedCorners(radius: one, unit: .pixels),
                    .sepia(intensity: one), .greyscale(intensity: one), .invert(intensity: one),
                    .brightness(factor: one), .contrast(factor: one), .saturation(factor: one),
                    .gamma(value: one), .blur(radius: one), .pixellate(size: one),
                    .rotate(degrees: one), .rotate(degrees: -one),
                ] as [any ImageFilter]
            for other in numbers {
                filters +=
                    [
                        .fit(width: one, height: other),
                        .fit(width: one, height: other, upscales: true),
                        .fitCanvas(width: one, height: other),
                        .fitCanvas(width: one, height: other, upscales: false),
                        .fill(width: one, height: other), .scaled(width: one, height: other),
                        .scaledCircle(width: one, height: other),
                        .fillCircle(width: one, height: other),
                        .sharpen(radius: one, amount: other),
                        .vignette(intensity: one, radius: other),
                        .overlay(Scene.plain, x: one, opacity: other),
                        .overlay(Scene.plain, y: one, opacity: other),
                        .composition([.blur(radius: one), .blur(radius: other)]),
                    ] as [any ImageFilter]
                for third in numbers {
                    filters +=
                        [
                            .scaledRounded(width: one, height: other, radius: third),
                            .scaledRounded(width: one, height: other, radius: third, unit: .pixels),
                            .fillRounded(width: one, height: other, radius: third),
                            .fillRounded(width: one, height: other, radius: third, unit: .pixels),
                            .crop(x: one, y: other, width: third, height: 1),
                            .crop(x: one, y: other, width: 2, height: third),
                        ] as [any ImageFilter]
                }
            }
            for color in colors { filters.append(.border(width: one, color: color)) }
        }
        for color in colors {
            filters.append(.background(color))
            for mode in TintFilter.Mode.allCases { filters.append(.tint(color, mode: mode)) }
        }
        for axis in FlipFilter.Axis.allCases { filters.append(.flip(axis)) }
        for alignment in ImageAlignment.allCases {
            filters.append(.overlay(Scene.plain, alignment: alignment))
        }
        filters.append(.overlay(Scene.alpha))
        var seen: [String: Int] = [:]
        for filter in filters { seen[filter.identifier, default: 0] += 1 }
        #expect(seen.filter { $0.value > 1 } == [:])
        #expect(seen.count > 1_800)
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
