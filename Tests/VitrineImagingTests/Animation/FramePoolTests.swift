import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct FramePoolTests {
    private let frame = PixelBuffer.solid(Pixel(red: 1, green: 2, blue: 3), width: 5, height: 5)

    @Test("D4: the frames kept stay within the bound, the least recently used go") func bound() {
        var pool = FramePool(capacity: 350)
        for index in 1...3 {
            let waiters = pool.insert(frame, at: index)
            #expect(waiters.isEmpty)
        }
        #expect(pool.usage == 300)
        #expect(keeps(&pool, 1))
        _ = pool.insert(frame, at: 4)
        #expect(pool.usage == 300)
        #expect(!keeps(&pool, 2))
        for index in [1, 3, 4] { #expect(keeps(&pool, index)) }
        _ = pool.insert(frame, at: 4)
        #expect(pool.usage == 300)
    }

    @Test("D4: the newest frame is kept even where there is no room") func least() {
        var pool = FramePool(capacity: 0)
        _ = pool.insert(frame, at: 1)
        _ = pool.insert(frame, at: 2)
        #expect(pool.usage == 100)
        #expect(!keeps(&pool, 1))
        #expect(keeps(&pool, 2))
    }

    @Test("D4: who waits longest is served first, and all who wait for a frame") func waiting() {
        var pool = FramePool(capacity: 1000)
        #expect(pool.nextWanted == nil)
        for (id, index) in [(1, 7), (2, 3), (3, 7), (4, 9)] as [(UInt64, Int)] {
            pool.wait(id, for: index)
        }
        #expect(pool.nextWanted == 7)
        #expect(pool.isWanted(3) && !pool.isWanted(4))
        let served = pool.insert(frame, at: 7)
        #expect(served == [1, 3])
        #expect(pool.nextWanted == 3)
        let left = [2, 2, 1].map { pool.leave($0) }
        #expect(left == [true, false, false])
        let lost = pool.takeWaiters { $0 > 5 }
        #expect(lost == [4])
        #expect(pool.nextWanted == nil)
    }

    private func keeps(_ pool: inout FramePool, _ index: Int) -> Bool {
        pool.frame(at: index) === frame
    }
}
