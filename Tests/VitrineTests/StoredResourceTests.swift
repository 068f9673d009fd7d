import FoundationEssentials
import Testing
import Vitrine
import VitrineHTTP

@Suite struct StoredResourceTests {
    private let digest = String(repeating: "0f", count: 32)

    @Test("P4, C10: a stored entry tells its URL by its key, or under a name by its metadata")
    func urls() {
        let url = "https://example.org/a?b=c"
        var head = StoredResponse.Head(
            status: 200, headers: [:], selectedBy: [], sentAt: 0, receivedAt: 0)
        head.url = "https://example.org/named"
        let processed = Data("VPI\u{1}https://example.org/named".utf8)
        for (key, metadata, expected, isPartitioned, isProcessed) in [
            ("GET \(url)", Data(), url, false, false),
            ("GET \(url) \(digest)", Data(), url, true, false),
            ("GET \(url) ~complete-12", Data(), url, false, false),
            ("GET \(url) \(digest) ~complete-12", Data(), url, true, false),
            ("GET \(url) +-.5.ab.cd", Data("VPI\u{1}".utf8), url, false, true),
            ("GET \(url) \(digest) +partial.5.ab.cd", Data(), url, true, true),
            ("GET name:\(digest)/0", head.encoded, head.url, false, false),
            ("GET name:\(digest)/1 \(digest)", head.encoded, head.url, true, false),
            ("GET name:\(digest)/0 +-.5.ab.cd", processed, head.url, false, true),
            ("GET name:\(digest)/0", Data(), nil, false, false),
            ("", Data(), nil, false, false), ("anything else", Data([1, 2, 3]), nil, false, false),
        ] as [(String, Data, String?, Bool, Bool)] {
            let found = StoredResource(key: key, metadata)
            #expect(found.url == expected, "\(key)")
            #expect(found.isPartitioned == isPartitioned, "\(key)")
            #expect(found.isProcessed == isProcessed, "\(key)")
        }
    }

    @Test("P4: how long a stored response is fresh")
    func freshness() {
        func head(_ control: String, expiresAt: Double? = nil) -> StoredResponse.Head {
            StoredResponse.Head(
                status: 200,
                headers: ["Cache-Control": control],
                selectedBy: [], sentAt: 1000, receivedAt: 1000, expiresAt: expiresAt)
        }
        #expect(head("max-age=60").remainingFreshness(at: 1010) == 50)
        #expect(head("max-age=60").remainingFreshness(at: 1100) == -40)
        #expect(head("no-cache").remainingFreshness(at: 1010) == nil)
        #expect(head("no-cache", expiresAt: 1030).remainingFreshness(at: 1010) == 20)
        #expect(head("no-cache", expiresAt: .infinity).remainingFreshness(at: 1010) == .infinity)
    }
}
