import DeterminismSupport
import Testing

@testable import VitrineHTTP

@Suite struct HTTPDateTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0

    @Test(
        "C11: the three formats of RFC 9110, section 5.6.7, in any letter case (RFC 9111, 4.2)",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun Nov 06 08:49:37 1994", 784_111_777),
            ("sUN, 06 nOV 1994 08:49:37 gmt", 784_111_777),
            ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ])
    func valid(text: String, expected: Double) {
        #expect(HTTPDate.parse(text, now: now) == expected)
    }

    @Test(
        "C11: anything else is no date",
        arguments: [
            "", "0", "-1", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov  1994 08:49:37 GMT",
            "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 31 Feb 2024 08:49:37 GMT", "Sun, 00 Nov 2024 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 GMT, 0",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov ١٩٩٤ 08:49:37 GMT",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test("C11: a clock that shows nonsense reads no dates", arguments: [.infinity, .nan, 1e300])
    func strangeClock(now: Double) {
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == nil)
    }

    @Test("C11: what is written is read as the same second") func roundTrip() throws {
        #expect(HTTPDate.format(784_111_777.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            let second = Double(Int.random(in: -2_000_000_000...253_402_300_799, using: &random))
            let text = try #require(HTTPDate.format(second))
            #expect(HTTPDate.parse(text, now: now) == second)
        }
    }

    @Test(
        "C11: times that no date can hold are not written",
        arguments: [.nan, .infinity, -.infinity, 1e300, 253_402_300_800, -62_135_596_801])
    func unwritable(seconds: Double) {
        #expect(HTTPDate.format(seconds) == nil)
    }
}
