import FoundationEssentials
import Testing
import VitrineBase

@testable import VitrineHTTP

@Suite struct SlowHeadTests {
    @Test("R13: a head that dribbles in for ever is silence in the end") func dribbling() throws {
        let second: UInt64 = 1_000_000_000
        let clock = Lock(second)
        let url = try #require(URL(string: "http://localhost/a"))
        var request = HTTP.Request(url)
        request.timeouts.idle = .seconds(30)
        let transfer = Transfer(
            request, origin: try Origin(url), rule: .any,
            now: { clock.withLock { $0 } }, wake: { _ in })
        func takeLine() -> UInt64 {
            let line = Array("HTTP/1.1 102 Processing\r\n".utf8)
            #expect(line.withUnsafeBytes { transfer.take(headerLine: $0) })
            return transfer.lastActivity
        }
        #expect(takeLine() == second)
        clock.withLock { $0 = 290 * second }
        #expect(takeLine() == 290 * second)
        clock.withLock { $0 = 302 * second }
        #expect(takeLine() == 290 * second)
        // A second attempt has its own time.
        transfer.prepareForRetry()
        #expect(takeLine() == 302 * second)
    }
}
