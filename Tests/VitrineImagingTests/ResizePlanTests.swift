import Testing

@testable import VitrineImaging

@Suite struct ResizePlanTests {
    @Test("D3, F1: plans end at the size asked for and never leave the source")
    func bounds() {
        for width in [1, 2, 3, 7, 100, 4001] {
            for height in [1, 2, 5, 99, 3000] {
                let source = PixelSize(width: width, height: height)
                for (w, h) in [(1, 1), (1, 9), (50, 50), (640, 3), (4000, 4000)] {
                    let fill = ResizePlan(.fill(width: w, height: h), source: source)
                    #expect(fill.result == PixelSize(width: w, height: h))
                    #expect(fill.crop.width <= width && fill.crop.height <= height)
                    #expect((width - fill.crop.width).isMultiple(of: 2) || fill.crop.width == width)
                    #expect(fill.resized.width >= w && fill.resized.height >= h)
                    let fit = ResizePlan(.fit(width: w, height: h), source: source)
                    #expect(fit.result.width <= w || fit.result == source)
                    #expect(fit.result.height <= h || fit.result == source)
                    #expect(fit.result.width >= 1 && fit.result.height >= 1)
                    #expect(fit.result.width <= width && fit.result.height <= height)
                }
            }
        }
    }

    @Test("D3: sides are rounded to the nearest pixel") func rounding() {
        let source = PixelSize(width: 1000, height: 333)
        #expect(
            ResizePlan(.fit(width: 500, height: 500), source: source).result
                == PixelSize(width: 500, height: 167))
        #expect(
            ResizePlan(.maximum(100), source: source).result == PixelSize(width: 100, height: 33))
        #expect(
            ResizePlan(.maximum(1), source: PixelSize(width: 5, height: 90_000)).result
                == PixelSize(width: 1, height: 1))
    }

    @Test("D3: both sides of a target turn with the picture") func transposed() {
        let source = PixelSize(width: 301, height: 200)
        let plan = ResizePlan(.fill(width: 31, height: 77), source: source)
        let turned = ResizePlan(.fill(width: 77, height: 31), source: source.transposed)
        #expect(plan.crop == turned.crop.transposed)
        #expect(plan.resized == turned.resized.transposed)
    }
}
