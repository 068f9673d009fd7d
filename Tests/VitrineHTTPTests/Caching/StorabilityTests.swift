import Testing

@testable import VitrineHTTP

@Suite struct StorabilityTests {
    /// 2026-01-01T00:00:00Z
    private let now = 1_767_225_600.0

    private func mayStore(
        _ status: Int, _ headers: HTTP.Headers, request: HTTP.Headers = [:]
    ) -> Bool {
        Storability.mayStore(
            status: status, headers: headers, request: request, sentAt: now, receivedAt: now)
    }

    @Test(
        "C11: what a private cache stores (RFC 9111, section 3)",
        arguments: [
            (200, fields(), true), (200, fields("Cache-Control: private"), true),
            (200, fields("Cache-Control: no-cache"), true),
            (200, fields("Cache-Control: no-store"), false),
            (200, fields("Cache-Control: nO-StOrE, max-age=5"), false),
            (200, fields("Cache-Control: max-age=5", "Set-Cookie: a=b"), true),
            (203, fields(), true), (204, fields(), true),
            (202, fields(), false), (202, fields("Cache-Control: max-age=5"), true),
            (299, fields(), false), (299, fields("Cache-Control: max-age=5"), true),
            (301, fields(), false), (301, fields("Cache-Control: max-age=5"), true),
            (302, fields(), false), (302, fields("Cache-Control: max-age=5"), true),
            (404, fields(), false), (404, fields("Cache-Control: max-age=5"), true),
            (404, fields("Cache-Control: max-age=0"), false),
            (404, fields("Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"), true),
            (403, fields("Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"), false),
            (503, fields("Cache-Control: max-age=5"), true),
            (304, fields("Cache-Control: max-age=5"), false),
            (401, fields("Cache-Control: max-age=5"), false),
            (412, fields("Cache-Control: max-age=5"), false),
            (416, fields("Cache-Control: max-age=5"), false),
            (100, fields("Cache-Control: max-age=5"), false),
            (600, fields("Cache-Control: max-age=5"), false),
            (200, fields("Vary: *"), false), (200, fields("Vary: a, *"), false),
            (200, fields("Vary: a"), true),
        ])
    func statuses(status: Int, headers: HTTP.Headers, expected: Bool) {
        #expect(mayStore(status, headers) == expected)
    }

    @Test(
        "C11: must-understand outdoes no-store where the status is known (5.2.2.3)",
        arguments: [(200, true), (404, true), (599, false), (299, false)])
    func mustUnderstand(status: Int, expected: Bool) {
        let headers = fields("Cache-Control: no-store, must-understand, max-age=5")
        #expect(mayStore(status, headers) == expected)
        #expect(
            mayStore(status, fields("Cache-Control: must-understand, max-age=5")) == expected)
    }

    @Test(
        "C11: a part says which one it is (RFC 9110, section 14.4)",
        arguments: [
            ("bytes 0-4/10", true), ("bytes 0-4/*", true), ("bytes 0-4/4", false),
            ("bytes 4-0/10", false), ("lines 0-4/10", false), ("bytes */10", false), ("", false),
        ])
    func parts(range: String, expected: Bool) {
        #expect(mayStore(206, fields("Content-Range: \(range)")) == expected)
    }

    @Test("C11: a request may forbid to store its answer (5.2.1.5)") func requestNoStore() {
        #expect(!mayStore(200, fields(), request: fields("Cache-Control: no-store")))
    }

    @Test(
        "C11: the answer to a POST stands for a GET if it says so (RFC 9110, section 9.3.3)",
        arguments: [
            (fields("Content-Location: /a", "Cache-Control: max-age=5"), true),
            (fields("Content-Location: http://a.test/a#x", "Cache-Control: max-age=5"), true),
            (fields("Content-Location: /b", "Cache-Control: max-age=5"), false),
            (fields("Content-Location: /a"), false),
            (fields("Cache-Control: max-age=5"), false),
            (fields("Content-Location: /a", "Cache-Control: max-age=5, no-store"), false),
        ])
    func post(headers: HTTP.Headers, expected: Bool) throws {
        let request = HTTP.Request(try url("http://a.test/a"), method: .post)
        #expect(
            Storability.mayStorePost(
                status: 200, headers: headers, request: request, sentAt: now, receivedAt: now)
                == expected)
        #expect(
            !Storability.mayStorePost(
                status: 500, headers: headers, request: request, sentAt: now, receivedAt: now))
    }

    @Test("C11: fields of one connection are not stored (RFC 9111, section 3.1)")
    func connectionFields() {
        let stored = StoredFields.of(
            fields(
                "Connection: close, a", "connection: B", "A: 1", "b: 2", "C: 3", "Keep-Alive: x",
                "TE: x", "Transfer-Encoding: x", "Upgrade: x", "Proxy-Connection: x",
                "Proxy-Authenticate: x", "Set-Cookie: a=b", "Content-MD5: x"),
            receivedAt: now)
        #expect(
            stored.map(\.name) == ["C", "Set-Cookie", "Content-MD5", "Date"])
    }

    @Test("C11: Connection cannot take away what a cache goes by") func hostileConnection() {
        let stored = StoredFields.of(
            fields("Connection: cache-control, vary", "Cache-Control: max-age=0", "Vary: a"),
            receivedAt: now)
        #expect(stored["Cache-Control"] == "max-age=0" && stored["Vary"] == "a")
    }

    @Test(
        "C11: what came without a date is dated by its arrival (RFC 9110, section 6.6.1)",
        arguments: [fields(), fields("Date: today"), fields("Date: Thu, 01 Jan 2026 00:00:00 UTC")])
    func dates(headers: HTTP.Headers) {
        #expect(
            StoredFields.of(headers, receivedAt: now).values(for: "Date")
                == ["Thu, 01 Jan 2026 00:00:00 GMT"])
        let dated = fields("Date: Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(StoredFields.of(dated, receivedAt: now) == dated)
    }
}
