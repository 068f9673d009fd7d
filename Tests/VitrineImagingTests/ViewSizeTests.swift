import PixelSupport
import Testing
import VitrineImaging

@Suite struct ViewSizeTests {
    /// Every filter that can have the size of a view, beside the same with a size in points.
    private static let pairs: [(any ImageFilter, any ImageFilter)] = [
        (.fit(.viewSize), .fit(width: 30, height: 20)),
        (.fit(.viewSize, upscales: true), .fit(width: 30, height: 20, upscales: true)),
        (.fitCanvas(.viewSize), .fitCanvas(width: 30, height: 20)),
        (
            .fitCanvas(.viewSize, upscales: false),
            .fitCanvas(width: 30, height: 20, upscales: false)
        ),
        (.fill(.viewSize), .fill(width: 30, height: 20)),
        (.smartFill(.viewSize), .smartFill(width: 30, height: 20)),
        (
            .smartFill(.viewSize, crop: .entropy),
            .smartFill(width: 30, height: 20, crop: .entropy)
        ),
        (.scaled(.viewSize), .scaled(width: 30, height: 20)),
        (
            .scaledRounded(.viewSize, radius: 4),
            .scaledRounded(width: 30, height: 20, radius: 4)
        ),
        (
            .fillRounded(.viewSize, radius: 4, unit: .pixels),
            .fillRounded(width: 30, height: 20, radius: 4, unit: .pixels)
        ),
        (.scaledCircle(.viewSize), .scaledCircle(width: 30, height: 20)),
        (.fillCircle(.viewSize), .fillCircle(width: 30, height: 20)),
        (
            .composition([.fill(.viewSize), .composition([.circle])]),
            .composition([.fill(width: 30, height: 20), .composition([.circle])])
        ),
    ]
    private let view = PointSize(width: 30, height: 20)

    @Test("F11: viewSize becomes the size of the view, in points") func resolved() throws {
        for (filter, expected) in Self.pairs {
            let resolved = filter.resolved(viewSize: view)
            #expect(resolved.identifier == expected.identifier)
            #expect(filter.identifier.contains("viewSize"))
            expectPixels(
                try RasterImage(Scene.plain, scale: 2).applying(resolved).posterFrame,
                equals: try RasterImage(Scene.plain, scale: 2).applying(expected).posterFrame,
                expected.identifier)
            // A second view changes nothing any more.
            #expect(
                resolved.resolved(viewSize: PointSize(width: 1, height: 1)).identifier
                    == expected.identifier)
        }
        #expect(Set(Self.pairs.map(\.0.identifier)).count == Self.pairs.count)
    }

    @Test("F11: without a view, viewSize is an error") func unresolved() throws {
        for (filter, _) in Self.pairs {
            #expect(
                throws: ImagingError.invalidArgument(
                    name: "size", reason: "there is no view whose size could be taken"),
                "\(filter.identifier)"
            ) { try RasterImage(Scene.plain).applying(filter) }
        }
    }

    @Test("F11: a view without a size is an error, not a crash") func nothing() {
        for side in [0, -1, .nan, .infinity, 1e300] {
            for (filter, _) in Self.pairs {
                #expect(throws: ImagingError.self, "\(filter.identifier), \(side)") {
                    try filter.resolved(viewSize: PointSize(width: side, height: 20))
                        .apply(to: Scene.plain, scale: 1)
                }
            }
        }
    }

    @Test("F11: other filters are what they are, in a view too", arguments: FilterSamples.all)
    func others(sample: FilterSamples.Sample) throws {
        #expect(
            sample.filter.resolved(viewSize: view).identifier == sample.filter.identifier)
        if FilterSamples.named.contains(sample.name) {
            let named = try NamedFilter(parsing: sample.name)
            #expect(named.resolved(viewSize: view).identifier == sample.filter.identifier)
        }
    }
}
