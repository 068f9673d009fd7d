import Testing

@testable import VitrineHTTP

@Suite struct CacheControlTests {
    @Test(
        "C11: max-age, strictly (RFC 9111, sections 1.2.2, 4.2.1 and 5.2)",
        arguments: [
            ("max-age=60", 60), ("Max-Age=60, public", 60), ("public ,max-age=60", 60),
            ("max-age=\"60\"", 60), ("max-age=0060", 60), (",,max-age=60,,", 60),
            ("max-age=-1", nil), ("max-age=1.5", nil), ("max-age", nil), ("max-age=", nil),
            ("max-age = 60", nil), ("max-age= 60", nil), ("max-age =60", nil),
            ("max-age=60x", nil), ("max-age=\"60\"x", nil), ("max-age=٣", nil),
            ("max-age=2147483648", 1 << 31), ("max-age=99999999999999999999", 1 << 31),
            ("max-age=60, max-age=10", 60), ("max-age=x, max-age=10", nil),
            ("x=\"a, max-age=5\", max-age=60", 60), ("x=\"\\\", max-age=5\", max-age=60", 60),
            ("x=\"never closed, max-age=5", nil), ("", nil), ("=5", nil),
        ] as [(String, Int?)])
    func maxAge(line: String, expected: Int?) {
        #expect(CacheControl(["Cache-Control": line]).seconds("max-age") == expected)
    }

    @Test("C11: a lifetime that cannot be read is there all the same, so nothing is guessed")
    func malformed() {
        #expect(CacheControl(["Cache-Control": "max-age = 60"]).has("max-age"))
        #expect(!CacheControl(["Cache-Control": "x=\"max-age=5\""]).has("max-age"))
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

    @Test(
        "C11: no-cache with and without fields (RFC 9111, section 5.2.2.4)",
        arguments: [
            ("no-cache", true, []), ("No-CaChE", true, []), ("no-cache=\"\"", true, []),
            ("no-cache=\"a, B\"", false, ["a", "b"]), ("no-cache=a", false, ["a"]),
            ("no-cache=\"a\", no-cache=\"b\"", false, ["a", "b"]),
            ("no-cache=\"a\", no-cache", true, []), ("no-cache, no-cache=\"a\"", true, []),
            ("max-age=5", false, []),
        ] as [(String, Bool, Set<String>)])
    func noCache(line: String, isBare: Bool, fields: Set<String>) {
        let control = CacheControl(["Cache-Control": line])
        #expect(control.forbidsReuseUnasked == isBare)
        #expect(control.noCacheFields == fields)
    }

    @Test(
        "C11: lists are split at commas outside quoted strings (RFC 9110, section 5.6)",
        arguments: [
            ("a, b ,\tc", ["a", "b", "c"]), (" , ,", []), ("\"a, b\", c", ["\"a, b\"", "c"]),
            ("\"a\\\", b\", c", ["\"a\\\", b\"", "c"]), ("\"a, b", ["\"a, b"]), ("", []),
        ] as [(String, [String])])
    func lists(value: String, members: [String]) {
        #expect(FieldList.members(value) == members)
    }
}
