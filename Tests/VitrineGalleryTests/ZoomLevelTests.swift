import Testing

@testable import VitrineGallery

@Suite struct ZoomLevelTests {
    @Test("V15: zooming in goes by steps from what fitting comes to, and has an end")
    func zoomIn() {
        var level = ZoomLevel.fit
        var factors: [Double] = []
        for _ in 0..<12 {
            level = level.zoomedIn(fitted: 0.4)
            if let factor = level.factor { factors.append(factor) }
        }
        #expect(factors == [0.5, 2 / 3.0, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 8, 8])
    }

    @Test("V15: zooming out ends at the window") func zoomOut() {
        var level = ZoomLevel.fit.zoomedIn(fitted: 0.6).zoomedIn(fitted: 0.6)
        #expect(level.factor == 0.75)
        level = level.zoomedOut(fitted: 0.6)
        #expect(level.factor == 2 / 3.0)
        #expect(level.zoomedOut(fitted: 0.6) == .fit)
        #expect(ZoomLevel.fit.zoomedOut(fitted: 0.6) == .fit)
        #expect(ZoomLevel.actualSize.zoomedOut(fitted: 1) == .fit)
    }

    @Test("V15: a double click goes to and fro") func toggle() {
        #expect(ZoomLevel.fit.toggled(fitted: 0.3) == .actualSize)
        #expect(ZoomLevel.fit.toggled(fitted: 1).factor == 2)
        #expect(ZoomLevel.actualSize.toggled(fitted: 0.3) == .fit)
    }

    @Test("V15: nothing grows beyond what can be drawn") func bounds() {
        var level = ZoomLevel.fit
        for _ in 0..<20 { level = level.zoomedIn(fitted: 0.1) }
        #expect(level.bounded(longerSide: 6000).factor == 5)
        #expect(level.bounded(longerSide: 100).factor == 8)
        #expect(level.bounded(longerSide: 1e9).factor == 1)
        #expect(level.bounded(longerSide: 0) == level)
        #expect(ZoomLevel.fit.bounded(longerSide: 1e9) == .fit)
    }

    @Test("V15: percent") func percent() {
        #expect(ZoomLevel.fit.percent(fitted: 0.671) == "67 %")
        #expect(ZoomLevel.actualSize.percent(fitted: 0.2) == "100 %")
        #expect(ZoomLevel.fit.percent(fitted: 0.0001) == "1 %")
        #expect(ZoomLevel.fit.percent(fitted: .infinity) == "9999 %")
    }
}
