import FoundationEssentials
import Testing
import VitrineHTTP

@testable import Vitrine

@Suite struct PrintedSecretsTests {
    @Test("promise 29: a request and the facts of a response print without their secrets")
    func printed() throws {
        let url = try #require(URL(string: "https://ann:hidden@example.org/a?signature=hidden"))
        var request = ImageRequest(url)
        request.headers = ["Authorization": "hidden", "Cookie": "hidden", "X-Api-Key": "hidden"]
        request.secretHeaders = ["X-Api-Key"]
        request.partition = "hidden"
        request.key = "hidden"
        let facts = HTTPFacts(
            finalURL: url, status: 200, headers: ["set-cookie": "hidden"], freshUntil: nil,
            receivedAt: nil)
        #expect("\(request)" == "GET https://example.org/a?signature=…")
        #expect("\(facts)" == "200 from https://example.org/a?signature=…")
        for value in [request, facts, [request], (facts, 1)] as [Any] { expectNothing(in: value) }
    }

    /// Neither printed nor reflected does the value show a secret, whatever is below it.
    private func expectNothing(in value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            #expect(!text.contains("hidden"), "\(type(of: value))")
        }
    }

    @Test("promise 29: nor do errors, events, and what is below them when it is dumped")
    func dumped() async throws {
        let text = "https://ann:hidden@example.org/a?signature=hidden"
        let url = try #require(URL(string: text))
        var request = ImageRequest(url)
        request.headers = ["Authorization": "hidden"]
        request.key = "hidden"
        let headers: HTTP.Headers = ["Authorization": "hidden", "Set-Cookie": "hidden"]
        let transport: [TransportError] = [
            .redirectLoop(url), .redirectRefused(to: url), .invalidURL(text),
        ]
        let errors = transport.map { ImageError(.transport($0), url: url) }
        let asked = HTTP.Request(url, headers: headers, secretHeaders: ["X"])
        var response = HTTP.Response(
            url: url, status: 200, headers: headers, redirects: [.init(url: url, status: 301)])
        response.place = .init(key: ResponseKey(asked), variant: "", url: text)
        let key = ResponseKey(asked)
        #expect("\(key)".hasPrefix("GET https://example.org/a?signature=… "))
        let head = StoredResponse.Head(
            status: 200, headers: headers, selectedBy: [.init(name: "Cookie", value: "hidden")],
            sentAt: 0, receivedAt: 0, url: text)
        var terms = HTTPCache.Terms(partition: "hidden")
        terms.name = "hidden"
        let values: [Any] = [
            errors, errors[0].reason, transport, asked, asked.headers, headers, Array(headers),
            response, response.redirects, key, head, StoredRecord(head: head), terms,
            CacheChange.replaced(url), CacheChange.removed(url), CacheChange.removedKey("hidden"),
            ImageCache.Drop(url: url, identifier: "hidden", cost: 1, reason: .capacity),
            ImageResponseSerializer.Head(url: url, status: 200, headers: ["Cookie": "hidden"]),
            ImageRequest.OutgoingRequest(url: url, body: nil, method: "GET", fields: headers),
            LoadEvent(
                loads: [1], url: url, stage: .load,
                moment: .ended(after: .zero, .init(error: errors[1])), time: .zero),
        ]
        for value in values { expectNothing(in: value) }
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        let loader = ImageLoader(configuration)
        request.url = try #require(URL(string: "gopher://ann:hidden@example.org/?signature=hidden"))
        let task = loader.task(for: request)
        await #expect(throws: ImageError.self) { try await task.response }
        expectNothing(in: task)
        for await element in loader.images(for: [request]) { expectNothing(in: element) }
    }
}
