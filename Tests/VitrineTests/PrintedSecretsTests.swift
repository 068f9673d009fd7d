import FoundationEssentials
import Testing

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
        for value in [request, facts, [request], (facts, 1)] as [Any] {
            #expect(!"\(value)".contains("hidden"))
            #expect(!String(reflecting: value).contains("hidden"))
        }
    }
}
