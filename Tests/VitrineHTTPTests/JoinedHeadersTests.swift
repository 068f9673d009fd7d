import Testing
import VitrineHTTP

@Suite struct JoinedHeadersTests {
    @Test("R10: thousands of header fields are joined by name") func many() {
        var headers: HTTP.Headers = ["A": "1", "b": "2", "a": "3"]
        for number in 0..<20_000 { headers.add("X-\(number)", "\(number)") }
        let joined = headers.joined
        #expect(joined.count == 20_002)
        #expect(joined["a"] == "1, 3" && joined["b"] == "2" && joined["x-19999"] == "19999")
    }
}
