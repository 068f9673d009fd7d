import DeterminismSupport
import Testing

@testable import VitrineHTTP

@Suite struct ValidationTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0
    private let yesterday = "Wed, 31 Dec 2025 00:00:00 GMT"

    @Test(
        "C11: what a stored response is asked about by (RFC 9111, section 4.3.1)",
        arguments: [
            (fields("ETag: \"1\""), ["If-None-Match": "\"1\""]),
            (fields("ETag: W/\"1\""), ["If-None-Match": "W/\"1\""]),
            (fields("ETag: 1"), ["If-None-Match": "1"]),
            (fields("Last-Modified: x"), ["If-Modified-Since": "x"]),
            (
                fields("ETag: \"1\"", "Last-Modified: x"),
                ["If-None-Match": "\"1\"", "If-Modified-Since": "x"]
            ),
            (fields("ETag:"), [:]), (fields(), [:]), (["ETag": "a\u{1}"], [:]),
            (["ETag": String(repeating: "e", count: 2000)], [:]),
        ] as [(HTTP.Headers, [String: String])])
    func conditions(headers: HTTP.Headers, expected: [String: String]) {
        let conditions = Validators(headers, receivedAt: now).conditions
        #expect(
            Dictionary(uniqueKeysWithValues: conditions.map { ($0.name, $0.value) }) == expected)
    }

    @Test(
        "C11: what tells bytes apart (RFC 9110, section 8.8.2.2)",
        arguments: [
            (fields("ETag: \"1\""), "\"1\""), (fields("ETag: W/\"1\""), nil),
            (
                fields(
                    "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT",
                    "Date: Wed, 31 Dec 2025 00:01:00 GMT"), "Wed, 31 Dec 2025 00:00:00 GMT"
            ),
            (
                fields(
                    "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT",
                    "Date: Wed, 31 Dec 2025 00:00:59 GMT"), nil
            ),
            (
                fields("ETag: W/\"1\"", "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT"), nil
            ),
            (fields("Last-Modified: long ago"), nil), (fields(), nil),
        ] as [(HTTP.Headers, String?)])
    func strong(headers: HTTP.Headers, expected: String?) {
        #expect(Validators(headers, receivedAt: now).strong == expected)
    }

    @Test(
        "C11: a 304 about another version renews nothing (RFC 9111, section 4.3.4)",
        arguments: [
            (fields("ETag: \"1\""), fields("ETag: \"1\""), false),
            (fields("ETag: \"1\""), fields("ETag: W/\"1\""), false),
            (fields("ETag: \"1\""), fields("ETag: \"2\""), true),
            (fields("ETag: \"1\""), fields(), false),
            (fields("Last-Modified: x"), fields("Last-Modified: y"), true),
            (fields("Last-Modified: x"), fields("ETag: \"1\""), false),
            (
                fields("ETag: \"1\"", "Last-Modified: x"),
                fields("ETag: \"1\"", "Last-Modified: y"), false
            ),
        ])
    func contradiction(stored: HTTP.Headers, new: HTTP.Headers, expected: Bool) {
        #expect(Validators(stored, receivedAt: now).contradict(new) == expected)
    }

    @Test("C11: a 304 replaces fields of the same name, but none that describe the bytes (3.2)")
    func merge() throws {
        let stored = try head(
            fields(
                "Date: \(yesterday)", "Content-Length: 9", "Content-Type: image/png",
                "Content-Encoding: br", "ETag: \"1\"", "A: 1", "A: 2", "B: 1", "Age: 500",
                "Vary: X"))
        let merged = stored.merged(
            with: fields(
                "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length: 0",
                "Content-Encoding: gzip",
                "Content-Type: image/x", "a: 3", "a: 4", "C: 1", "Connection: C, D", "D: 1",
                "Keep-Alive: 5", "Vary: *"),
            sentAt: now + 1, receivedAt: now + 2)
        #expect(
            merged.headers
                == fields(
                    "Content-Length: 9", "Content-Encoding: br", "ETag: \"1\"", "B: 1", "Vary: X",
                    "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Content-Type: image/x", "a: 3", "a: 4"))
        #expect(merged.sentAt == now + 1 && merged.receivedAt == now + 2)
        #expect(merged.variant == stored.variant && merged.selectedBy == stored.selectedBy)
    }

    @Test("C11: merging keeps what the new header does not name, whatever the names are")
    func randomMerges() throws {
        var random = SeededRandom(seed: 304)
        for _ in 0..<300 {
            func some(_ tag: String) -> HTTP.Headers {
                var headers = HTTP.Headers()
                for index in 0..<Int.random(in: 0...8, using: &random) {
                    let letter = ["a", "B", "c", "D"].randomElement(using: &random) ?? "a"
                    headers.add("X-\(letter)", "\(tag)\(index)")
                }
                headers.add("Date", yesterday)
                return headers
            }
            let (old, new) = (some("old"), some("new"))
            let merged = StoredFields.merged(old, with: new, receivedAt: now, isPartial: false)
            for name in ["x-a", "X-b", "X-C", "x-d", "date"] {
                let expected = new.contains(name) ? new : old
                #expect(merged.values(for: name) == expected.values(for: name))
            }
            let again = StoredFields.merged(merged, with: new, receivedAt: now, isPartial: false)
            #expect(again == merged, "merging twice is merging once")
        }
    }

    @Test("C11: a header of 10,000 fields is merged in no time worth naming") func manyFields() {
        var old = HTTP.Headers()
        var new = HTTP.Headers()
        for index in 0..<10_000 {
            old.add("X-\(index)", "old")
            if index.isMultiple(of: 2) { new.add("x-\(index)", "new") }
        }
        let merged = StoredFields.merged(old, with: new, receivedAt: now, isPartial: false)
        #expect(merged.count == 10_001)  // and a date
        #expect(merged["X-4"] == "new" && merged["X-5"] == "old")
    }

    @Test(
        "C11: callers' own conditions are answered from what is stored (RFC 9111, section 4.3.2)",
        arguments: [
            (fields("If-None-Match: \"1\""), true), (fields("If-None-Match: W/\"1\""), true),
            (fields("If-None-Match: \"0\", \"1\""), true), (fields("If-None-Match: *"), true),
            (fields("If-None-Match: \"0\", \"2\""), false),
            (fields("If-None-Match: \"1, 2\""), false),
            (
                fields("If-None-Match: \"2\"", "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"),
                false
            ),
            (fields("If-Modified-Since: Wed, 31 Dec 2025 00:00:00 GMT"), true),
            (fields("If-Modified-Since: Tue, 30 Dec 2025 23:59:59 GMT"), false),
            (fields("If-Modified-Since: yesterday"), false), (fields(), false),
        ])
    func preconditions(request: HTTP.Headers, expected: Bool) {
        let stored = fields("ETag: \"1\"", "Last-Modified: \(yesterday)")
        #expect(Precondition.isMet(by: request, stored: stored, receivedAt: now) == expected)
    }

    @Test(
        "C11: If-Range is exact and strong (RFC 9110, section 13.1.5)",
        arguments: [
            (fields(), fields("ETag: \"1\""), true),
            (fields("If-Range: \"1\""), fields("ETag: \"1\""), true),
            (fields("If-Range: \"2\""), fields("ETag: \"1\""), false),
            (fields("If-Range: W/\"1\""), fields("ETag: W/\"1\""), false),
            (fields("If-Range: \"1\""), fields(), false),
        ])
    func ifRange(request: HTTP.Headers, stored: HTTP.Headers, expected: Bool) {
        #expect(Precondition.allowsRange(request, of: stored, receivedAt: now) == expected)
    }
}
