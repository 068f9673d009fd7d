import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct InvalidationTests {
    @Test(
        "C11: what an unsafe request makes outdated (RFC 9111, section 4.4)",
        arguments: [
            ("POST", 200, fields(), ["/a"]), ("PUT", 204, fields(), ["/a"]),
            ("DELETE", 302, fields(), ["/a"]), ("M-SEARCH", 200, fields(), ["/a"]),
            ("GET", 200, fields("Location: /b"), []), ("HEAD", 200, fields(), []),
            ("OPTIONS", 200, fields(), []), ("PUT", 400, fields(), []), ("PUT", 500, fields(), []),
            ("PUT", 201, fields("Location: /b", "Content-Location: c"), ["/a", "/b", "/c"]),
            ("PUT", 201, fields("Location: /a#top"), ["/a"]),
            ("PUT", 201, fields("Location: http://b.test/b"), ["/a"]),
            ("PUT", 201, fields("Location: https://a.test/b"), ["/a"]),
            ("PUT", 201, fields("Location: http://a.test:80/b"), ["/a", ":80/b"]),
            ("PUT", 201, fields("Location: ", "Content-Location: http://[nonsense"), ["/a"]),
        ])
    func outdated(method: String, status: Int, headers: HTTP.Headers, expected: [String]) throws {
        let request = HTTP.Request(try url("http://a.test/a"), method: .init(rawValue: method))
        let urls = RelatedURL.invalidated(by: status, headers, to: request).map(\.absoluteString)
        #expect(urls == expected.map { "http://a.test\($0)" })
    }
}
