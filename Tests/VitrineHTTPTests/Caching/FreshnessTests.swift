import Testing

@testable import VitrineHTTP

/// Header fields from lines such as `Age: 5`, in their order.
func fields(_ lines: String...) -> HTTP.Headers {
    var headers = HTTP.Headers()
    for line in lines {
        let name = line.prefix { $0 != ":" }
        headers.add(String(name), FieldList.trimmed(line.utf8.dropFirst(name.utf8.count + 1)))
    }
    return headers
}

@Suite struct FreshnessTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0

    private func freshness(_ headers: HTTP.Headers, status: Int = 200) -> Freshness {
        Freshness(status: status, headers: headers, sentAt: now, receivedAt: now)
    }

    @Test(
        "C11: how long a response is fresh, in seconds from its arrival (RFC 9111, section 4.2)",
        arguments: [
            (fields("Cache-Control: max-age=60"), 60),
            (fields("Cache-Control: max-age=60", "Age: 20"), 40),
            (fields("Cache-Control: max-age=60", "Age: 60"), nil),
            (fields("Cache-Control: max-age=60", "Expires: Thu, 01 Jan 1970 00:00:00 GMT"), 60),
            (fields("Cache-Control: max-age=60", "Expires: 0"), 60),
            (fields("Cache-Control: max-age=60, no-cache"), nil),
            (fields("Cache-Control: max-age=60, no-cache=\"set-cookie\""), 60),
            (
                fields("Cache-Control: max-age=nonsense", "Expires: Fri, 02 Jan 2026 00:00:00 GMT"),
                nil
            ),
            (fields("Cache-Control: max-age=-5"), nil),
            (fields("Cache-Control: s-maxage=600"), nil),
            (fields("Cache-Control: s-maxage=600, max-age=5"), 5),
            (fields("Expires: Thu, 01 Jan 2026 00:01:00 GMT"), 60),
            (
                fields(
                    "Expires: Thu, 01 Jan 2026 00:01:00 GMT", "Date: Wed, 31 Dec 2025 23:59:30 GMT"),
                60
            ),
            (
                fields(
                    "Expires: Thu, 01 Jan 2026 00:01:00 GMT",
                    "Expires: Thu, 01 Jan 2026 01:00:00 GMT"), 60
            ),
            (fields("Expires: Thu, 01 Jan 2026 00:00:00 GMT"), nil),
            (fields("Expires: 0"), nil),
            (fields("Expires: 0", "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"), nil),
            (fields("Date: Wed, 31 Dec 2025 23:59:30 GMT", "Cache-Control: max-age=60"), 30),
            (fields("Date: yesterday", "Cache-Control: max-age=60"), 60),
            (fields("Date: Thu, 01 Jan 2026 01:00:00 GMT", "Cache-Control: max-age=60"), 60),
            (fields(), nil),
        ] as [(HTTP.Headers, Double?)])
    func lifetime(headers: HTTP.Headers, expected: Double?) {
        #expect(freshness(headers).freshUntil.map { $0 - now } == expected)
    }

    @Test(
        "C11: Age is one whole number, or ignored (RFC 9111, section 5.1)",
        arguments: [
            (["7"], 7), (["007"], 7), (["7, 0"], 7), (["0, 7"], 0), (["7", "0"], 7),
            (["0", "7"], 0),
            (["-7"], 0), (["7.0"], 0), (["abc"], 0), ([""], 0), (["7;a=b"], 0), (["+7"], 0),
            (["2147483647"], 2_147_483_647), (["2147483648"], 2_147_483_648),
            (["99999999999999999999999"], 2_147_483_648),
        ] as [([String], Double)])
    func age(values: [String], expected: Double) {
        var headers = HTTP.Headers()
        for value in values { headers.add("Age", value) }
        #expect(ResponseAge(headers, sentAt: now, receivedAt: now).onArrival == expected)
    }

    @Test("C11: the time of the exchange, and of being stored, counts as age (4.2.3)")
    func growingAge() {
        let headers = fields("Cache-Control: max-age=60", "Age: 10")
        let freshness = Freshness(
            status: 200, headers: headers, sentAt: now - 5, receivedAt: now)
        #expect(freshness.freshUntil == now + 45)
        #expect(freshness.age.at(now + 3) == 18)
        #expect(
            freshness.age.at(now - 100) == 15, "a clock that was set back makes nothing younger")
        #expect(freshness.isFresh(at: now + 44) && !freshness.isFresh(at: now + 45))
        #expect(freshness.staleness(at: now + 50) == 5)
    }

    @Test("C11: max-age beyond every number is 2³¹ seconds, and so is Age") func hugeNumbers() {
        let huge = "99999999999999999999"
        #expect(
            freshness(fields("Cache-Control: max-age=\(huge)")).freshUntil == now + 2_147_483_648)
        #expect(
            freshness(fields("Cache-Control: max-age=\(huge)", "Age: \(huge)")).freshUntil == nil)
    }

    @Test(
        "C11: without a word of the server, a tenth of the time since the last change (4.2.2)",
        arguments: [
            (200, "", 1000, 100), (404, "", 1000, 100), (410, "", 1000, 100), (501, "", 1000, 100),
            (301, "", 1000, 100), (202, "", 1000, nil), (302, "", 1000, nil), (403, "", 1000, nil),
            (500, "", 1000, nil), (599, "", 1000, nil), (599, "public", 1000, 100),
            (403, "public", 1000, 100), (200, "max-age=5", 1000, 5), (200, "max-age=0", 1000, nil),
            (200, "no-cache", 1000, nil), (200, "", 0, nil), (200, "", -1000, nil),
            (200, "", 864_000, 86_400), (200, "", 1_000_000_000, 86_400),
        ] as [(Int, String, Double, Double?)])
    func heuristic(status: Int, control: String, changedBefore: Double, expected: Double?) throws {
        let changed = try #require(HTTPDate.format(now - changedBefore))
        let headers = fields("Cache-Control: \(control)", "Last-Modified: \(changed)")
        #expect(freshness(headers, status: status).freshUntil.map { $0 - now } == expected)
    }
}
