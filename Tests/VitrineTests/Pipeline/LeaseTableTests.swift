import DeterminismSupport
import PixelSupport
import Testing

@testable import Vitrine

@Suite struct LeaseTableTests {
    private func lease(_ image: RasterImage, expiry: UInt64 = .max) -> LeaseTable.Lease {
        LeaseTable.Lease(
            image: WeakImage(image), facts: ImageCache.Facts(),
            expiry: expiry)
    }

    private func key(_ path: Int, side: Int? = nil) throws -> ImageKey {
        var request = ImageRequest(try #require(URL(string: "https://a.example/\(path)")))
        request.targetSize = side.map { .maximum($0) }
        return ImageKey(request, identifier: nil)
    }

    @Test("promise 15: leases of images that are gone are swept away") func swept() throws {
        var table = LeaseTable()
        var most = 0
        for number in 0..<10_000 {
            table.set(lease(ImageCacheTests.image(1)), for: try key(number))
            most = max(most, table.count)
        }
        #expect(most == 64)
        let held = try (0..<300).map { number in
            let image = ImageCacheTests.image(1)
            table.set(lease(image), for: try key(number, side: 5))
            return image
        }
        for number in 0..<5_000 {
            table.set(lease(ImageCacheTests.image(1)), for: try key(number, side: 7))
            most = max(most, table.count)
        }
        #expect(most <= 2 * held.count + 64)
        #expect(table.isConsistent)
        for number in 0..<300 {
            let found = table.image(for: try key(number, side: 5), now: 0)
            #expect(found?.image.posterFrame === held[number].posterFrame)
        }
    }

    @Test("promise 15: agrees with a simple model, step by step", arguments: 1...4)
    func agreesWithModel(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var table = LeaseTable()
        var model: [ImageKey: RasterImage] = [:]
        for step in 0..<1_500 {
            let path = Int.random(in: 0..<12, using: &random)
            let key = try key(path, side: Int.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let image = ImageCacheTests.image(1)
                table.set(lease(image), for: key)
                model[key] = image
            case 6: model[key] = nil  // released elsewhere
            case 7:
                #expect(table.remove(key) == (model[key] != nil))
                model[key] = nil
            case 8 where step.isMultiple(of: 3):
                for variant in table.variants(of: key) {
                    table.remove(variant)
                    model[variant] = nil
                }
            default: break
            }
            #expect(table.image(for: key, now: 0)?.image.posterFrame === model[key]?.posterFrame)
            #expect(table.isConsistent)
            #expect(
                table.variants(of: key).isSuperset(
                    of: model.keys.filter { $0.ofSource == key.ofSource }))
        }
        table.removeAll()
        #expect(table.count == 0 && table.isConsistent)
    }

    @Test("promise 22: the best other size: of its shape, not smaller, as small as can be")
    func closestSize() {
        let cases: [([(Int, Int)], (Int, Int), Int?)] = [
            ([], (10, 10), nil),
            ([(5, 5), (20, 20), (40, 40)], (10, 10), 1),
            ([(40, 40), (20, 20), (10, 10)], (10, 10), 2),
            ([(5, 5), (8, 8)], (10, 10), 1),
            // The right shape beats the size.
            ([(100, 100), (30, 20)], (60, 40), 1),
            ([(100, 100), (50, 50)], (60, 40), 0),
            // Rounding does not make another shape.
            ([(100, 67), (10, 7)], (300, 200), 0),
            ([(3, 2), (100, 50)], (96, 64), 0),
            ([(1, 1), (2, 1)], (1, 1), 0),
        ]
        for (sizes, wanted, expected) in cases {
            let found = ClosestSize.best(
                of: sizes.map { PixelSize(width: $0.0, height: $0.1) },
                for: PixelSize(width: wanted.0, height: wanted.1))
            #expect(found == expected, "\(sizes) for \(wanted)")
        }
    }
}
