import Testing

@testable import VitrineHTTP

@Suite struct HeadersTests {
    @Test func namesAreComparedWithoutCase() {
        let headers: HTTP.Headers = ["Content-Type": "image/png"]
        #expect(headers["content-type"] == "image/png")
        #expect(headers["CONTENT-TYPE"] == "image/png")
        #expect(headers["content-typ"] == nil)
        #expect(headers == ["content-TYPE": "image/png"])
        #expect(headers.hashValue == (["content-TYPE": "image/png"] as HTTP.Headers).hashValue)
        #expect(headers != ["Content-Type": "IMAGE/PNG"])
    }

    @Test func linesOfOneNameAreKeptAndJoined() {
        var headers: HTTP.Headers = ["Vary": "Accept", "ETag": "\"1\"", "vary": "Origin"]
        #expect(headers["Vary"] == "Accept, Origin")
        #expect(headers.values(for: "VARY") == ["Accept", "Origin"])
        #expect(headers.count == 3)
        headers.add("Vary", "Cookie")
        #expect(headers.map(\.name) == ["Vary", "ETag", "vary", "Vary"])
    }

    @Test func settingReplacesAllLinesInPlace() {
        var headers: HTTP.Headers = ["A": "1", "B": "2", "a": "3", "C": "4"]
        headers["a"] = "9"
        #expect(headers.map(\.value) == ["9", "2", "4"])
        headers["A"] = nil
        #expect(headers.map(\.name) == ["B", "C"])
        headers["D"] = "5"
        #expect(headers.map(\.name) == ["B", "C", "D"])
        headers.remove("b")
        #expect(!headers.contains("B"))
    }

    @Test("Promise 29: printing headers and requests shows no secrets")
    func printing() throws {
        let headers: HTTP.Headers = ["Accept": "image/png", "authorization": "Basic abc"]
        #expect("\(headers)" == "Accept: image/png\nauthorization: …")
        let request = HTTP.Request(
            try url("https://me:pw@example.com/a?sig=abc"), headers: headers,
            secretHeaders: ["X-Api-Key"])
        #expect("\(request)" == "GET https://example.com/a?sig=…")
        #expect(request.isSecret("x-api-KEY"))
        #expect(request.isSecret("Cookie"))
        #expect(request.isSecret("Proxy-Authorization"))
        #expect(!request.isSecret("Accept"))
    }
}
