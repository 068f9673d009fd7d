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

    @Test("F6: identifiers are stable: what caches on disk know stays findable") func stable() {
        let lines = FilterSamples.all.map { "\($0.name)  \($0.filter.identifier)" }
        let expected = Self.identifiers.split(separator: "\n").map(String.init)
        #expect(lines.count == expected.count)
        for (line, expected) in zip(lines, expected) { #expect(line == expected) }
    }

    @Test("F6: samples that do different things have different identifiers") func samples() {
        #expect(Set(FilterSamples.all.map(\.filter.identifier)).count == FilterSamples.all.count)
    }

    /// Each sample and its identifier. A line that must be changed here is a filter whose results are
    /// kept anew under another name; where a filter's pixels change, its identifier should.
    private static let identifiers = """
        fit:width=7,height=5  fit(7.0,5.0)
        fit:width=9,height=9,upscales=true  fit(9.0,9.0,upscales)
        fitCanvas:width=8,height=5  fitCanvas(8.0,5.0,upscales)
        fitCanvas:width=20,height=31,upscales=false  fitCanvas(20.0,31.0)
        fill:width=6,height=7  fill(6.0,7.0)
        fill:width=9,height=4,crop=attention  fill(9.0,4.0,attention)
        smartFill:width=4,height=9  fill(4.0,9.0,attention)
        smartFill:width=9,height=9,crop=entropy  fill(9.0,9.0,entropy)
        scaled:width=3,height=11  scaled(3.0,11.0)
        roundedCorners:radius=3  roundedCorners(3.0)
        roundedCorners:radius=2.5,unit=pixels  roundedCorners(2.5,pixels)
        circle  circle
        scaledRounded:width=9,height=6,radius=2  scaledRounded(9.0,6.0,2.0,points)
        fillRounded:width=5,height=8,radius=4  fillRounded(5.0,8.0,4.0,points)
        scaledCircle:width=7,height=7  scaledCircle(7.0,7.0)
        fillCircle:width=6,height=9  fillCircle(6.0,9.0)
        sepia  sepia(1.0)
        sepia:intensity=0.4  sepia(0.4)
        greyscale  greyscale(1.0)
        greyscale:intensity=0.5  greyscale(0.5)
        invert  invert(1.0)
        invert:intensity=0.3  invert(0.3)
        brightness:factor=1.4  brightness(1.4)
        contrast:factor=0.6  contrast(0.6)
        saturation:factor=1.7  saturation(1.7)
        gamma:value=2.2  gamma(2.2)
        tint:color=3366cc  tint(3366ccff,color)
        tint:color=3366cc80  tint(3366cc80,color)
        tint:color=ff8000,mode=multiply  tint(ff8000ff,multiply)
        tint:color=ff8000c0,mode=template  tint(ff8000c0,template)
        blur:radius=0.4  blur(0.4)
        blur:radius=2  blur(2.0)
        blur:radius=900  blur(900.0)
        sharpen  sharpen(1.0,0.7)
        sharpen:radius=3,amount=4  sharpen(3.0,4.0)
        pixellate:size=3  pixellate(3.0)
        pixellate:size=1000  pixellate(1000.0)
        vignette  vignette(0.7,0.4)
        vignette:intensity=1,radius=0  vignette(1.0,0.0)
        crop:x=0,y=0,width=3,height=2  crop(0.0,0.0,3.0,2.0)
        rotate:degrees=90  rotate(90.0)
        rotate:degrees=180  rotate(180.0)
        rotate:degrees=-90  rotate(-90.0)
        rotate:degrees=33  rotate(33.0)
        flip:axis=horizontal  flip(horizontal)
        flip:axis=vertical  flip(vertical)
        border:width=2,color=ff0000  border(2.0,ff0000ff)
        border:width=1,color=00ff0040  border(1.0,00ff0040)
        background:color=ffffff  background(ffffffff)
        background:color=10203080  background(10203080)
        overlay  overlay(5x4:bc4a4198d933461d947902fdc0d0950549b0c79ec6af8e69300ae1453e9b091a,\
        center,0.0,0.0,1.0)
        overlay at a corner, half  overlay(5x4:bc4a4198d933461d947902fdc0d0950549b0c79ec6af8e6\
        9300ae1453e9b091a,bottomRight,-0.5,1.0,0.5)
        overlay of an opaque picture  overlay(3x3:aaa09c81aa680a940bd685edc07acca62e7d8958f365\
        9e68ae0ce47c025138a0,center,0.0,0.0,1.0)
        mask  mask(5x4:bc4a4198d933461d947902fdc0d0950549b0c79ec6af8e69300ae1453e9b091a,alpha)
        mask by luminance  mask(5x4:bc4a4198d933461d947902fdc0d0950549b0c79ec6af8e69300ae1453e\
        9b091a,luminance)
        mask of an opaque picture  mask(3x3:aaa09c81aa680a940bd685edc07acca62e7d8958f3659e68ae\
        0ce47c025138a0,alpha)
        mask by luminance of an opaque picture  mask(3x3:aaa09c81aa680a940bd685edc07acca62e7d8\
        958f3659e68ae0ce47c025138a0,luminance)
        composition  composition(13:fill(8.0,6.0),9:blur(1.0),6:circle)
        empty composition  composition()
        custom  transposed
        fit to a view  fit(6.0,5.0,upscales)
        fitCanvas of a view  fitCanvas(6.0,5.0,upscales)
        fill a view  fill(6.0,5.0,entropy)
        scaled to a view  scaled(6.0,5.0)
        """

    @Test("F6: two different filters never share an identifier") func distinct() {
        let numbers = [
            0.1, 0.30000000000000004, 0.3, 1, 1.0000000000000002, 10, -0.0, 0,
            Double.leastNonzeroMagnitude, 1e300,
        ]
        let colors = [Pixel.clear, .black, .white, Pixel(red: 0, green: 0, blue: 1)]
        var filters: [any ImageFilter] = [.circle]
        for one in numbers {
            filters +=
                [
                    .roundedCorners(radius: one), .roundedCorners(radius: one, unit: .pixels),
                    .sepia(intensity: one), .greyscale(intensity: one), .invert(intensity: one),
                    .brightness(factor: one), .contrast(factor: one), .saturation(factor: one),
                    .gamma(value: one), .blur(radius: one), .pixellate(size: one),
                    .rotate(degrees: one),
                ] as [any ImageFilter]
            if one != 0 { filters.append(.rotate(degrees: -one)) }
            for other in numbers {
                filters +=
                    [
                        .fit(width: one, height: other),
                        .fit(width: one, height: other, upscales: true),
                        .fitCanvas(width: one, height: other),
                        .fitCanvas(width: one, height: other, upscales: false),
                        .fill(width: one, height: other), .scaled(width: one, height: other),
                        .smartFill(width: one, height: other),
                        .smartFill(width: one, height: other, crop: .entropy),
                        .scaledCircle(width: one, height: other),
                        .fillCircle(width: one, height: other),
                        .sharpen(radius: one, amount: other),
                        .vignette(intensity: one, radius: other),
                        .overlay(Scene.plain, x: one, y: 2, opacity: other),
                        .overlay(Scene.plain, x: 2, y: one, opacity: other),
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
        for channel in MaskFilter.Channel.allCases {
            filters.append(.mask(Scene.alpha, by: channel))
            filters.append(.mask(Scene.plain, by: channel))
        }
        filters +=
            [
                .fit(.viewSize), .fit(.viewSize, upscales: true), .fill(.viewSize),
                .smartFill(.viewSize), .fitCanvas(.viewSize), .scaled(.viewSize),
                .fillCircle(.viewSize), .scaledCircle(.viewSize),
                .fillRounded(.viewSize, radius: 1),
                .scaledRounded(.viewSize, radius: 1),
            ] as [any ImageFilter]
        var seen: [String: Int] = [:]
        for filter in filters { seen[filter.identifier, default: 0] += 1 }
        #expect(seen.filter { $0.value > 1 } == [:])
        #expect(seen.count > 7_000)
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
