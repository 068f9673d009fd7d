import Testing
import VitrineImaging

@testable import VitrineGTK

@Suite struct DecodeSizeTests {
    private func size(
        _ width: Double, _ height: Double, scale: Double = 1, _ fit: ContentFit = .contain,
        fixed: Bool = false, own: PixelSize? = nil
    ) -> DecodeSize? {
        DecodeSize(
            area: PointSize(width: width, height: height), scale: scale, fit: fit,
            hasFixedShape: fixed, own: own)
    }

    @Test("V11: sides are rounded up by an eighth to a quarter of their length") func steps() {
        #expect(
            [1, 16, 17, 64, 65, 100, 128, 129, 300, 1000, 1025].map { DecodeSize.step(above: $0) }
                == [16, 16, 32, 64, 80, 112, 128, 160, 320, 1024, 1280])
        for length in 1...5000 {
            let step = DecodeSize.step(above: Double(length))
            #expect(step >= length && step <= max(length + 15, length + length / 4 + 1))
        }
        #expect(DecodeSize.step(above: 1e300) == DecodeSize.longestSide)
    }

    @Test("V11: contained pictures fit the area at its scale") func contain() {
        #expect(size(100, 60)?.target == .fit(width: 112, height: 64))
        #expect(size(100, 60, scale: 2)?.target == .fit(width: 224, height: 128))
        #expect(size(100, 60, scale: 2)?.scale == 2)
        #expect(size(100, 60, .scaleDown) == size(100, 60, .contain))
        #expect(size(100, 60, ContentFit.none) == nil)
    }

    @Test("V11: covering pictures are cut as they will be shown, or whole if that may change")
    func cover() {
        #expect(size(100, 50, .cover, fixed: true)?.target == .fill(width: 112, height: 56))
        #expect(size(100, 50, .cover)?.target == .fit(width: 160, height: 160))
        let wide = PixelSize(width: 4000, height: 1000)
        #expect(size(100, 100, .cover, own: wide)?.target == .fit(width: 448, height: 112))
        #expect(size(100, 100, .fill, own: wide)?.target == .fit(width: 448, height: 112))
    }

    @Test("V11: a larger area needs a larger picture, a little smaller one does not") func enough()
        throws
    {
        let has = try #require(size(100, 100))
        for (width, height, scale, isEnough) in [
            (100.0, 100.0, 1.0, true), (112, 112, 1, true), (113, 100, 1, false), (60, 60, 1, true),
            (40, 40, 1, false), (40, 100, 1, true), (100, 100, 2, false),
        ] {
            let needed = try #require(size(width, height, scale: scale))
            #expect(has.isEnough(for: needed) == isEnough, "\(width) × \(height) @ \(scale)")
        }
        let cut = try #require(size(100, 50, .cover, fixed: true))
        #expect(cut.isEnough(for: try #require(size(90, 45, .cover, fixed: true))))
        #expect(!cut.isEnough(for: try #require(size(90, 60, .cover, fixed: true))))
        #expect(!cut.isEnough(for: has) && !has.isEnough(for: cut))
        #expect(try #require(size(40, 40)).isHalf(of: has))
        #expect(!has.isHalf(of: has))
    }

    @Test("V11: areas that are none") func none() {
        for side in [0, -1, .nan, .infinity] {
            #expect(size(side, 10) == nil && size(10, side) == nil)
        }
        #expect(size(10, 10, scale: .nan)?.scale == 1 && size(10, 10, scale: -2)?.scale == 1)
        #expect(
            size(1e12, 1e-12, .cover, fixed: true)?.target
                == .fill(width: DecodeSize.longestSide, height: 1))
        #expect(size(10, 10, .cover, own: PixelSize(width: 0, height: 5)) != nil)
    }
}
