import Testing
import VitrineImaging

@testable import VitrineGTK

@Suite struct ContentFitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fit: ContentFit
        let picture: (Double, Double)
        let area: (Double, Double)
        /// x, y, width, height; nil if nothing is seen.
        let place: (Double, Double, Double, Double)?

        init(
            _ fit: ContentFit, _ picture: (Double, Double), _ area: (Double, Double),
            _ place: (Double, Double, Double, Double)?
        ) {
            (self.fit, self.picture, self.area, self.place) = (fit, picture, area, place)
        }

        var testDescription: String { "\(fit) of \(picture) in \(area)" }
    }

    static let rows = [
        Row(.fill, (200, 100), (100, 100), (0, 0, 100, 100)),
        Row(.fill, (1, 1), (30, 70), (0, 0, 30, 70)),
        Row(.contain, (200, 100), (100, 100), (0, 25, 100, 50)),
        Row(.contain, (100, 200), (100, 100), (25, 0, 50, 100)),
        Row(.contain, (10, 10), (100, 50), (25, 0, 50, 50)),
        Row(.cover, (200, 100), (100, 100), (-50, 0, 200, 100)),
        Row(.cover, (100, 200), (100, 100), (0, -50, 100, 200)),
        Row(.cover, (10, 10), (100, 50), (0, -25, 100, 100)),
        Row(.scaleDown, (200, 100), (100, 100), (0, 25, 100, 50)),
        Row(.scaleDown, (10, 20), (100, 50), (45, 15, 10, 20)),
        Row(.none, (200, 100), (100, 100), (-50, 0, 200, 100)),
        Row(.none, (10, 20), (100, 50), (45, 15, 10, 20)),
        // As large as the area.
        Row(.contain, (64, 48), (64, 48), (0, 0, 64, 48)),
        Row(.cover, (64, 48), (64, 48), (0, 0, 64, 48)),
        // Far from square.
        Row(.contain, (10_000, 1), (100, 100), (0, 49.995, 100, 0.01)),
        Row(.cover, (10_000, 1), (100, 100), (-499_950, 0, 1_000_000, 100)),
    ]

    @Test("V16: a picture lies in its area as its content fit says", arguments: rows)
    func places(_ row: Row) {
        let place = row.fit.rectangle(
            for: PointSize(width: row.picture.0, height: row.picture.1),
            in: PointSize(width: row.area.0, height: row.area.1))
        #expect(
            place
                == row.place.map {
                    ContentFit.Rectangle(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
                })
    }

    @Test("V16: sizes that are none, or no numbers, show nothing", arguments: ContentFit.allCases)
    func badSizes(_ fit: ContentFit) {
        let good = PointSize(width: 10, height: 10)
        for bad in [0, -1, Double.nan, Double.infinity, -Double.infinity] {
            for size in [PointSize(width: bad, height: 10), PointSize(width: 10, height: bad)] {
                #expect(fit.rectangle(for: size, in: good) == nil)
                #expect(fit.rectangle(for: good, in: size) == nil)
            }
        }
    }

    @Test("V16: huge and tiny sizes give a place or nothing", arguments: ContentFit.allCases)
    func extremes(_ fit: ContentFit) {
        let sides = [Double.leastNonzeroMagnitude, 1e-300, 1, 1e300, .greatestFiniteMagnitude]
        for width in sides {
            for height in sides {
                let extreme = PointSize(width: width, height: height)
                let good = PointSize(width: 10, height: 10)
                for place in [
                    fit.rectangle(for: extreme, in: good), fit.rectangle(for: good, in: extreme),
                ] {
                    guard let place else { continue }
                    #expect(place.x.isFinite && place.y.isFinite)
                    #expect(place.width > 0 && place.width.isFinite)
                    #expect(place.height > 0 && place.height.isFinite)
                }
            }
        }
    }

    @Test("V16: contain stays within, cover leaves no gap, both keep the shape")
    func properties() {
        for picture in [(3.0, 7.0), (640, 480), (1, 1000)] {
            for area in [(5.0, 5.0), (17, 3), (1000, 333)] {
                let picture = PointSize(width: picture.0, height: picture.1)
                let area = PointSize(width: area.0, height: area.1)
                for fit in [ContentFit.contain, .cover, .scaleDown] {
                    guard let place = fit.rectangle(for: picture, in: area) else {
                        Issue.record("\(fit) shows nothing")
                        continue
                    }
                    let ratio = place.width / place.height
                    #expect(abs(ratio / (picture.width / picture.height) - 1) < 1e-12)
                    let overX = place.width - area.width
                    let overY = place.height - area.height
                    #expect(
                        fit == .cover
                            ? overX > -1e-9 && overY > -1e-9 : overX < 1e-9 && overY < 1e-9)
                }
            }
        }
    }
}

@Suite struct ImageLayoutTests {
    @Test("V16: a fixed size and a ratio do not depend on the picture")
    func wishes() {
        let picture = PointSize(width: 300, height: 200)
        #expect(
            ImageLayout.natural.wish(for: picture)
                == ImageLayout.Wish(width: 300, height: 200, aspectRatio: 1.5))
        #expect(ImageLayout.natural.wish(for: nil) == ImageLayout.Wish())
        for content in [nil, picture] {
            #expect(ImageLayout.none.wish(for: content) == ImageLayout.Wish())
            #expect(
                ImageLayout.fixed(PointSize(width: 40, height: 20)).wish(for: content)
                    == ImageLayout.Wish(width: 40, height: 20, aspectRatio: 2))
            #expect(
                ImageLayout.aspectRatio(0.75).wish(for: content)
                    == ImageLayout.Wish(aspectRatio: 0.75))
        }
    }

    @Test("V16: what is no size is no wish", arguments: [0, -1, .nan, .infinity])
    func badWishes(_ bad: Double) {
        for layout in [
            ImageLayout.aspectRatio(bad), .fixed(PointSize(width: bad, height: 10)),
            .fixed(PointSize(width: 10, height: bad)),
        ] {
            #expect(layout.wish(for: nil) == ImageLayout.Wish())
        }
        let far = ImageLayout.fixed(PointSize(width: 1e-300, height: 1e300))
        #expect(far.wish(for: nil).aspectRatio == 0)
    }
}
