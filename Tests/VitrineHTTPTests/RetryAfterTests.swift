import Testing
import VitrineHTTP

@Suite struct RetryAfterTests {
    /// 2026-01-01T00:00:00Z, a Thursday.
    private static let now = 1_767_225_600.0

    @Test(
        "R10: Retry-After is a number of seconds or a date",
        arguments: [
            ("120", 120), (" 0\t", 0), ("99999999999999999999", Double(1 << 31)),
            ("Thu, 01 Jan 2026 00:02:00 GMT", 120), ("Thursday, 01-Jan-26 00:00:10 GMT", 10),
            ("Thu Jan  1 00:00:07 2026", 7), ("Wed, 31 Dec 2025 23:59:00 GMT", 0),
            ("", nil), ("soon", nil), ("-1", nil), ("1.5", nil), ("1 s", nil),
            ("Thu, 32 Jan 2026 00:02:00 GMT", nil),
        ] as [(String, Double?)])
    func texts(text: String, expected: Double?) {
        #expect(RetryAfter.seconds(text, now: Self.now) == expected)
    }
}
