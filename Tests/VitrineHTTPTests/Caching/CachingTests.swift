import Testing

@testable import VitrineHTTP

@Suite struct CacheControlTests {
    @Test(
        "C11: directives are read leniently",
        arguments: [
            ("max-age=60", 60), ("Max-Age=60, public", 60), ("public ,max-age = 60", 60),
            ("max-age=\"60\"", 60), ("max-age=-1", nil), ("max-age=1.5", nil), ("max-age", nil),
            ("max-age=99999999999999999999", 1 << 31), ("max-age=60, max-age=10", 60),
            ("x=\"a, max-age=5\", max-age=60", 60), (",,max-age=60,,", 60), ("", nil),
        ] as [(String, Int?)])
    func maxAge(line: String, expected: Int?) {
        #expect(CacheControl(["Cache-Control": line]).seconds("max-age") == expected)
    }

    @Test("C11: several lines are one list") func severalLines() {
        var headers = HTTP.Headers()
        headers.add("Cache-Control", "no-store")
        headers.add("cache-control", "max-age=5")
        let control = CacheControl(headers)
        #expect(control.has("no-store"))
        #expect(control.seconds("max-age") == 5)
        #expect(!control.has("no-cache"))
    }
}

@Suite struct HTTPDateTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0

    @Test(
        "C11: the three formats of RFC 9110, section 5.6.7",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
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
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 31 Feb 2024 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }
}

@Suite struct FreshnessTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0

    @Test(
        "C11: how long a response is fresh, in seconds from its arrival",
        arguments: [
            (["Cache-Control": "max-age=60"], 60),
            (["Cache-Control": "max-age=60", "Age": "20"], 40),
            (["Cache-Control": "max-age=60", "Age": "60"], nil),
            (["Cache-Control": "max-age=60", "Age": "4294967296"], nil),
            (["Cache-Control": "max-age=60", "Age": "99999999999999999999"], nil),
            (["Cache-Control": "max-age=60", "Age": "-20"], 60),
            (["Cache-Control": "max-age=60", "Expires": "Thu, 01 Jan 1970 00:00:00 GMT"], 60),
            (["Cache-Control": "max-age=60, no-cache"], nil),
            (["Cache-Control": "max-age=60, no-store"], nil),
            (
                ["Cache-Control": "max-age=nonsense", "Expires": "Fri, 02 Jan 2026 00:00:00 GMT"],
                nil
            ),
            (["Cache-Control": "s-maxage=600"], nil),
            (["Expires": "Thu, 01 Jan 2026 00:01:00 GMT"], 60),
            (
                [
                    "Expires": "Thu, 01 Jan 2026 00:01:00 GMT",
                    "Date": "Wed, 31 Dec 2025 23:59:30 GMT",
                ], 60
            ),
            (["Expires": "0"], nil),
            (["Date": "Wed, 31 Dec 2025 23:59:30 GMT", "Cache-Control": "max-age=60"], 30),
            ([:], nil),
            (["Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"], nil),
        ] as [([String: String], Double?)])
    func lifetime(headers: [String: String], expected: Double?) {
        var all = HTTP.Headers()
        for (name, value) in headers { all.add(name, value) }
        let until = Freshness.freshUntil(headers: all, sentAt: now, receivedAt: now)
        #expect(until.map { $0 - now } == expected)
    }

    @Test("C11: the time of the exchange counts as age") func slowExchange() {
        let until = Freshness.freshUntil(
            headers: ["Cache-Control": "max-age=60", "Age": "10"], sentAt: now - 5, receivedAt: now)
        #expect(until == now + 45)
    }
}
