import Testing
import VitrineImaging

@testable import VitrineGTK

/// What is seen of a picture that zooms and pans.
@Suite struct ZoomViewportTests {
    /// 400 × 200 in an area of 200 × 200.
    private func viewport(_ width: Double = 400, _ height: Double = 200) -> ZoomViewport {
        var viewport = ZoomViewport()
        viewport.resize(to: PointSize(width: 200, height: 200))
        viewport.replacePicture(size: PointSize(width: width, height: height))
        return viewport
    }

    private func expect(
        _ viewport: ZoomViewport, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let place = viewport.rectangle else {
            Issue.record("it has no place", sourceLocation: sourceLocation)
            return
        }
        let pairs = [(place.x, x), (place.y, y), (place.width, width), (place.height, height)]
        #expect(
            pairs.allSatisfy { abs($0 - $1) < 1e-6 }, "\(place)", sourceLocation: sourceLocation)
    }

    @Test("V15: all of the picture is seen at first, and a small one in its own size")
    func fits() {
        expect(viewport(), 0, 50, 200, 100)
        expect(viewport(50, 20), 75, 90, 50, 20)
        var large = viewport()
        large.resize(to: PointSize(width: 800, height: 800))
        expect(large, 200, 300, 400, 200)
        #expect(large.isFitted)
        #expect(ZoomViewport().rectangle == nil)
    }

    @Test("V15: what is under the pointer stays there")
    func zoomsAboutPoint() {
        for (x, y) in [(100.0, 100.0), (30, 70), (170, 140)] {
            var viewport = viewport(4000, 4000)
            viewport.zoom(to: 0.5, x: 100, y: 100)
            for factor in [1.25, 2, 0.9] {
                let before = viewport.rectangle
                viewport.zoom(to: viewport.scale * factor, x: x, y: y)
                guard let before, let after = viewport.rectangle else {
                    Issue.record("it has no place")
                    return
                }
                #expect(abs((x - before.x) / before.width - (x - after.x) / after.width) < 1e-9)
                #expect(abs((y - before.y) / before.height - (y - after.y) / after.height) < 1e-9)
            }
        }
    }

    @Test("V15: no edge comes into the area, and what is smaller stays in the middle")
    func edges() {
        var viewport = viewport()
        viewport.zoom(to: 1, x: 0, y: 100)
        // As high as the area: it moves to the sides only.
        expect(viewport, 0, 0, 400, 200)
        #expect(!viewport.canPan(x: 10, y: 0))
        #expect(viewport.canPan(x: -10, y: 0))
        #expect(!viewport.canPan(x: 0, y: -10))
        viewport.pan(x: -50, y: 30)
        expect(viewport, -50, 0, 400, 200)
        viewport.pan(x: -1e9, y: 0)
        expect(viewport, -200, 0, 400, 200)
        viewport.pan(x: 1e9, y: 1e9)
        expect(viewport, 0, 0, 400, 200)
        viewport.zoom(to: 0.75, x: 150, y: 20)
        #expect(viewport.rectangle?.y == 25)
    }

    @Test("V15: it is never smaller than all of it, nor larger than sixteen times")
    func limits() {
        var viewport = viewport()
        viewport.zoom(to: 1e9)
        #expect(viewport.scale == 16)
        viewport.zoom(to: 1e-9)
        #expect(viewport.scale == 0.5)
        #expect(viewport.isFitted)
        expect(viewport, 0, 50, 200, 100)
    }

    @Test("V15: a double click shows more at its place, and another one shows all")
    func toggles() {
        var viewport = viewport()
        viewport.toggle(x: 200, y: 100)
        expect(viewport, -200, 0, 400, 200)
        viewport.toggle(x: 7, y: 7)
        expect(viewport, 0, 50, 200, 100)
        var small = self.viewport(50, 20)
        small.toggle(x: 100, y: 100)
        #expect(small.scale == 2)
    }

    @Test("V15: another size of the area keeps what is in the middle")
    func resizes() {
        var viewport = viewport(1000, 1000)
        viewport.zoom(to: 1, x: 40, y: 90)
        let middle = viewport.rectangle.map { (100 - $0.x) / $0.width }
        viewport.resize(to: PointSize(width: 300, height: 260))
        #expect(viewport.scale == 1)
        let after = viewport.rectangle.map { (150 - $0.x) / $0.width }
        #expect(abs((middle ?? 0) - (after ?? 1)) < 1e-9)
        // Grown so far that all of it is seen.
        viewport.resize(to: PointSize(width: 3000, height: 2000))
        expect(viewport, 1000, 500, 1000, 1000)
    }

    @Test("D5: a better picture lies where its preview lay")
    func previews() {
        var viewport = viewport(400, 200)
        viewport.zoom(to: 2, x: 30, y: 60)
        let before = viewport.rectangle
        viewport.replacePicture(size: PointSize(width: 1600, height: 800))
        #expect(viewport.rectangle == before)
        #expect(viewport.scale == 0.5)
    }

    @Test(
        "V15: numbers that are none change nothing", arguments: [Double.nan, .infinity, -.infinity])
    func badNumbers(_ bad: Double) {
        var viewport = viewport()
        viewport.zoom(to: 1, x: 40, y: 90)
        let before = viewport
        viewport.zoom(to: bad)
        viewport.zoom(to: 2, x: bad, y: 0)
        viewport.zoom(to: 2, x: 0, y: bad)
        viewport.pan(x: bad, y: 0)
        viewport.pan(x: 0, y: bad)
        viewport.resize(to: PointSize(width: bad, height: 10))
        viewport.replacePicture(size: PointSize(width: 10, height: bad))
        for none in [0.0, -1] {
            viewport.zoom(to: none)
            viewport.resize(to: PointSize(width: 10, height: none))
            viewport.replacePicture(size: PointSize(width: none, height: 10))
        }
        #expect(viewport == before)
    }

    @Test("V15: shapes far from square stay finite")
    func extremes() {
        for (width, height) in [
            (1e300, 1e-300), (1e-300, 1e300), (1e9, 1.0),
            (.leastNonzeroMagnitude, .leastNonzeroMagnitude),
        ] {
            var viewport = viewport(width, height)
            viewport.zoom(to: 3, x: 10, y: 10)
            viewport.pan(x: 5, y: -5)
            viewport.toggle(x: 1, y: 1)
            guard let place = viewport.rectangle else { continue }
            let isFinite = [place.x, place.y, place.width, place.height].allSatisfy(\.isFinite)
            #expect(isFinite)
        }
    }
}
