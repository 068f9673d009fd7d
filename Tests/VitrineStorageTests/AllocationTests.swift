import Glibc
import Testing

@Suite struct AllocationTests {
    @Test("C1: a hit of the memory cache allocates nothing")
    func memoryHits() throws {
        let child = try ChildProcess(helperPath("allocation-count"), [])
        let words = child.readSome().split(whereSeparator: \.isWhitespace)
        #expect(child.wait() == 0)
        // A sanitizer allocates by itself; there it says so.
        guard words != ["not", "counted"] else { return }
        try #require(words.count == 7)
        #expect(words[1] == "1000")
        #expect(words[3] == "0")
        // The counter counts.
        #expect((Int(words[6]) ?? 0) >= 1000)
    }
}
