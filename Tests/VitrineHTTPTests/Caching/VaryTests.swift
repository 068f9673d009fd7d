import DeterminismSupport
import Testing

@testable import VitrineHTTP

/// A head that came for a request, at a moment.
func head(
    _ status: Int, _ headers: HTTP.Headers, for request: HTTP.Headers = [:],
    at time: Double = 1_767_225_600
) throws -> StoredResponse.Head {
    StoredResponse.Head(
        status: status, headers: headers,
        request: HTTP.Request(try url("http://a.test/"), headers: request), sentAt: time,
        receivedAt: time)
}

func head(
    _ headers: HTTP.Headers, for request: HTTP.Headers = [:], at time: Double = 1_767_225_600
) throws -> StoredResponse.Head {
    try head(200, headers, for: request, at: time)
}

@Suite struct VaryTests {
    private let now = 1_767_225_600.0

    @Test(
        "C11: which requests a stored response is for (RFC 9111, section 4.1)",
        arguments: [
            ("Foo", fields("Foo: 1"), fields("Foo: 1"), true),
            ("foo", fields("FOO: 1"), fields("foo: 1"), true),
            ("Foo", fields("Foo: 1"), fields("Foo: 2"), false),
            ("Foo", fields("Foo: a"), fields("Foo: A"), false),
            ("Foo", fields("Foo: 1"), fields(), false),
            ("Foo", fields(), fields("Foo: 1"), false),
            ("Foo", fields(), fields("Foo:"), false),
            ("Foo", fields(), fields("Bar: 1"), true),
            ("Foo, Bar", fields("Foo: 1", "Bar: 2"), fields("Bar: 2", "Foo: 1"), true),
            ("Foo, Bar", fields("Foo: 1", "Bar: 2"), fields("Bar: 3", "Foo: 1"), false),
            ("Foo", fields("Foo: 1, 2"), fields("Foo: 1", "Foo: 2"), true),
            ("Foo", fields("Foo: 1,2"), fields("Foo:  1 ,  2 "), true),
            ("Foo", fields("Foo: 1, 2"), fields("Foo: 2, 1"), false),
            ("Foo", fields("Foo: \"1,2\""), fields("Foo: \"1, 2\""), false),
            (
                "Accept-Language", fields("Accept-Language: en, de"),
                fields("Accept-Language: eN,De"), true
            ),
            (
                "Accept-Encoding", fields("Accept-Encoding: GZIP"), fields("Accept-Encoding: gzip"),
                true
            ),
            ("Accept", fields("Accept: image/a"), fields("Accept: image/b"), false),
            ("Authorization", fields("Authorization: a"), fields("Authorization: a"), true),
            ("Authorization", fields("Authorization: a"), fields("Authorization: b"), false),
        ])
    func selection(
        vary: String, stored: HTTP.Headers, asked: HTTP.Headers, expected: Bool
    ) throws {
        let head = try head(fields("Vary: \(vary)"), for: stored)
        let request = HTTP.Request(try url("http://a.test/"), headers: asked)
        #expect(head.isSelected(by: request) == expected)
    }

    @Test(
        "C11: a star, wherever it stands, matches nothing",
        arguments: [
            fields("Vary: *"), fields("Vary: *, *"), fields("Vary: *", "Vary: *"),
            fields("Vary: , *"), fields("Vary: ", "Vary: *"), fields("Vary: *, Foo"),
            fields("Vary: Foo, *"),
        ])
    func star(headers: HTTP.Headers) throws {
        #expect(Vary.names(in: headers) == nil)
        let request = HTTP.Request(try url("http://a.test/"))
        #expect(try !head(headers).isSelected(by: request))
    }

    @Test("C11: more names than anybody needs match nothing") func manyNames() {
        let names = (0..<10_000).map { "a\($0)" }.joined(separator: ", ")
        #expect(Vary.names(in: ["Vary": names]) == nil)
    }

    @Test("promise 29: what Vary keeps of a secret cannot be read") func secrets() throws {
        let head = try head(
            fields("Vary: Cookie, Authorization, Accept"),
            for: fields("Cookie: hunter2", "Authorization: hunter2", "Accept: image/png"))
        #expect(head.selectedBy.map(\.name) == ["accept", "authorization", "cookie"])
        #expect(!head.encoded.contains("hunter2".utf8))
        #expect(!head.variant.contains("hunter2") && head.encoded.contains("image/png".utf8))
    }

    @Test("C11: variants have names of their own, and the plain one has none") func variants()
        throws
    {
        let request = fields("A: 1", "B: 2")
        let all = [
            try head(fields()), try head(206, fields("Content-Range: bytes 0-1/9")),
            try head(404, fields()), try head(fields("Vary: A"), for: request),
            try head(fields("Vary: B"), for: request), try head(fields("Vary: A, B"), for: request),
            try head(fields("Vary: A"), for: fields("A: 2")), try head(fields("Vary: A")),
            try head(fields("Vary: A"), for: fields("A:")),
        ].map(\.variant)
        #expect(Set(all).count == all.count && all[0].isEmpty)
        #expect(try head(301, fields()).variant.isEmpty)
        #expect(
            try head(fields("Vary: A, B"), for: request).variant
                == head(fields("Vary: b,a"), for: request).variant)
        #expect(all.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    }

    @Test("C11: random requests select what was stored for one of equal meaning, and nothing else")
    func randomRequests() throws {
        var random = SeededRandom(seed: 411)
        let target = try url("http://a.test/")
        for _ in 0..<500 {
            let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                String(Int.random(in: 0...1, using: &random))
            }
            // The same members, written in another way.
            func written() -> HTTP.Headers {
                var headers = HTTP.Headers()
                var rest = values[...]
                while !rest.isEmpty {
                    let count = Int.random(in: 1...rest.count, using: &random)
                    let comma = [",", ", ", " ,\t", ",,"].randomElement(using: &random) ?? ","
                    let name = Bool.random(using: &random) ? "Foo" : "foo"
                    headers.add(name, rest.prefix(count).joined(separator: comma))
                    rest = rest.dropFirst(count)
                }
                return headers
            }
            let first = HTTP.Request(target, headers: written())
            let same = HTTP.Request(target, headers: written())
            let head = StoredResponse.Head(
                status: 200, headers: ["Vary": "foo"], request: first, sentAt: now, receivedAt: now)
            #expect(head.isSelected(by: same))
            var other = same
            other.headers.add("Foo", "3")
            #expect(!head.isSelected(by: other))
        }
    }
}

@Suite struct SelectionTests {
    private let now = 1_767_225_600.0

    private func chosen(
        _ heads: [StoredResponse.Head], _ policy: CachePolicy = .standard,
        _ headers: HTTP.Headers = [:], method: HTTP.Method = .get, after seconds: Double = 10
    ) throws -> Int? {
        let request = HTTP.Request(try url("http://a.test/"), method: method, headers: headers)
        let selection = Selection(
            request, terms: HTTPCache.Terms(policy: policy), now: now + seconds)
        return selection.choose(heads)
    }

    @Test("C11: the one that answers, else the newest to ask about (RFC 9111, section 4)")
    func order() throws {
        let heads = [
            try head(fields("Cache-Control: max-age=5", "ETag: \"1\"")),
            try head(fields("Cache-Control: max-age=60", "Vary: A"), at: now - 5),
            try head(fields("Cache-Control: max-age=5", "ETag: \"2\"", "Vary: B"), at: now + 1),
            try head(
                fields("Cache-Control: max-age=60", "Vary: C"), for: fields("C: 1"), at: now + 2),
        ]
        #expect(try chosen(heads) == 1)
        #expect(try chosen(heads, fields("A: 1")) == 2)
        #expect(try chosen(heads, .cacheOnly) == 2, "at any age, the newest")
        #expect(try chosen([heads[3]]) == nil)
        #expect(try chosen([]) == nil)
    }

    private func chosen(_ heads: [StoredResponse.Head], _ headers: HTTP.Headers) throws -> Int? {
        try chosen(heads, .standard, headers)
    }

    @Test("C11: an error answers while it is fresh, and never hides the last good answer")
    func errors() throws {
        let heads = [
            try head(fields("ETag: \"1\"")),
            try head(404, fields("Cache-Control: max-age=20"), at: now + 1),
        ]
        #expect(try chosen(heads) == 1)
        #expect(try chosen(heads, after: 60) == 0)
        #expect(try chosen(heads, .cacheElseLoad) == 0)
        #expect(try chosen(heads, .cacheOnly, after: 60) == 0)
        #expect(try chosen([heads[1]], after: 60) == nil)
    }

    @Test("C11: a part answers what lies within it, and is completed otherwise")
    func parts() throws {
        let part = try head(206, fields("Cache-Control: max-age=60", "Content-Range: bytes 0-4/10"))
        #expect(try chosen([part], fields("Range: bytes=1-3")) == 0)
        #expect(try chosen([part], fields("Range: bytes=1-5")) == nil)
        #expect(try chosen([part], fields("Range: bytes=0-1, 3-4")) == nil)
        #expect(try chosen([part]) == 0)
        #expect(try chosen([part], .standard, method: .head) == nil)
    }
}
