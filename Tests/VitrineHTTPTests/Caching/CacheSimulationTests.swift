import DeterminismSupport
import FoundationEssentials
import Testing
import VitrineBase

@testable import VitrineHTTP

/// An origin without sockets whose pictures change: each version's tag tells its bytes.
private final class ChangingOrigin: Transport {
    private struct State {
        var random: SeededRandom
        var versions: [String: Int] = [:]
        var lifetimes: [String: Int] = [:]
        /// Until when a version may answer unasked, as the origin has last said, by tag.
        var freshUntil: [String: Double] = [:]
        var isReachable = true
    }
    private let state: Lock<State>
    private let clock: ManualClock

    init(seed: UInt64, clock: ManualClock) {
        state = Lock(State(random: SeededRandom(seed: seed)))
        self.clock = clock
    }

    var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    func change(_ path: String) {
        state.withLock { state in
            state.versions[path, default: 0] += 1
            state.lifetimes[path] = [0, 5, 60].randomElement(using: &state.random)
        }
    }

    func tag(_ path: String, _ language: String) -> String {
        "\"\(path)|\(language)|\(state.withLock { $0.versions[path] ?? 0 })\""
    }

    func freshUntil(_ tag: String) -> Double {
        state.withLock { $0.freshUntil[tag] ?? -.infinity }
    }

    /// Fifty bytes and some, which only this tag has.
    static func content(_ tag: String) -> String {
        tag + String(repeating: ".", count: 50) + tag
    }

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        guard isReachable else { throw .connect(host: "a.test", port: 80, reason: "unplugged") }
        let path = request.url.path()
        let language = path == "/vary" ? request.headers["Accept-Language"] ?? "" : ""
        let tag = tag(path, language)
        let (lifetime, delay) = state.withLock { state in
            let lifetime = state.lifetimes[path] ?? 5
            state.freshUntil[tag] = clock.source.now + Double(lifetime)
            return (lifetime, Int.random(in: 0...30, using: &state.random))
        }
        // What was true when the answer was made may be over when it arrives.
        for _ in 0..<delay { await Task.yield() }
        var headers: HTTP.Headers = ["ETag": tag, "Cache-Control": "max-age=\(lifetime)"]
        if path == "/vary" { headers["Vary"] = "Accept-Language" }
        if request.headers["If-None-Match"] == tag {
            return HTTP.Response(url: request.url, status: 304, headers: headers)
        }
        let bytes = Data(Self.content(tag).utf8)
        let condition = request.headers["If-Range"]
        if let range = ByteRange(request.headers)?.bytes(of: bytes.count),
            condition == nil || condition == tag
        {
            headers["Content-Range"] = ContentRange(bytes: range, total: bytes.count).text
            return HTTP.Response(
                url: request.url, status: 206, headers: headers, body: .bytes(Data(bytes[range])))
        }
        return HTTP.Response(url: request.url, status: 200, headers: headers, body: .bytes(bytes))
    }
}

@Suite struct CacheSimulationTests {
    private let paths = ["/plain", "/vary", "/other"]
    private let languages = ["en", "de", "fr"]

    private func request(_ random: inout SeededRandom) throws -> (HTTP.Request, CachePolicy) {
        let path = paths.randomElement(using: &random) ?? ""
        var request = HTTP.Request(try url("http://a.test\(path)"))
        request.headers["Accept-Language"] = languages.randomElement(using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            let first = Int.random(in: 0..<80, using: &random)
            request.headers["Range"] = ["bytes=\(first)-", "bytes=0-\(first)", "bytes=-\(first)"]
                .randomElement(using: &random)
        }
        let policies: [CachePolicy] = [
            .standard, .standard, .standard, .revalidate, .reload, .cacheElseLoad, .cacheOnly,
            .bypass,
        ]
        return (request, policies.randomElement(using: &random) ?? .standard)
    }

    /// Makes an exchange, stores what may be stored, and checks that the bytes are those of the tag.
    private func exchange(
        _ request: HTTP.Request, _ policy: CachePolicy, _ cache: HTTPCache
    ) async throws -> (response: HTTP.Response, tag: String)? {
        let response: HTTP.Response
        do throws(TransportError) {
            response = try await cache.transport(policy: policy).exchange(request)
        } catch {
            return nil
        }
        let body = try await response.body.collect(limit: 1 << 20)
        await response.ticket?.store(BodySpool(body))
        guard response.status < 400 else { return nil }
        let tag = try #require(response.headers["ETag"])
        let content = Data(ChangingOrigin.content(tag).utf8)
        if response.status == 206 {
            let range = try #require(ContentRange(response.headers))
            #expect(range.total == content.count && body == Data(content[range.bytes]))
        } else {
            #expect(response.status == 200 && body == content)
        }
        let parts = tag.filter { $0 != "\"" }.split(
            separator: "|", omittingEmptySubsequences: false)
        #expect(parts.first.map(String.init) == request.url.path())
        if request.url.path() == "/vary" {
            #expect(parts[1] == request.headers["Accept-Language"] ?? "")
        }
        return (response, tag)
    }

    @Test(
        "C11: over thousands of random steps, no byte is of another version than its tag says",
        arguments: [1, 2, 3, 4] as [UInt64])
    func steps(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let clock = ManualClock()
        let origin = ChangingOrigin(seed: seed, clock: clock)
        let cache = HTTPCache(over: origin, store: MemoryResponseStore(), time: clock.source)
        var answers: [HTTP.Response.Source: Int] = [:]
        for _ in 0..<1200 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: origin.change(paths.randomElement(using: &random) ?? "")
            case 1: clock.advance(by: .seconds(Int.random(in: 0...40, using: &random)))
            case 2: origin.isReachable = Int.random(in: 0..<4, using: &random) > 0
            default:
                let (request, policy) = try request(&random)
                guard let (response, tag) = try await exchange(request, policy, cache) else {
                    continue
                }
                answers[response.source, default: 0] += 1
                let path = request.url.path()
                let language = path == "/vary" ? request.headers["Accept-Language"] ?? "" : ""
                switch response.source {
                case .network, .revalidated: #expect(tag == origin.tag(path, language))
                case .cache where policy == .standard && response.cause == nil:
                    #expect(clock.source.now < origin.freshUntil(tag))
                case .cache:
                    #expect(policy != .reload && policy != .bypass && policy != .revalidate)
                }
            }
        }
        #expect(answers.values.allSatisfy { $0 > 20 } && answers.count == 3)
    }

    @Test("C11: nor when many ask at once while the pictures change") func crowd() async throws {
        let clock = ManualClock()
        let origin = ChangingOrigin(seed: 7, clock: clock)
        let cache = HTTPCache(over: origin, store: MemoryResponseStore(), time: clock.source)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(100 + seed))
                    for _ in 0..<200 {
                        if Int.random(in: 0..<20, using: &random) == 0 {
                            origin.change(paths.randomElement(using: &random) ?? "")
                            clock.advance(by: .seconds(3))
                        }
                        let (request, policy) = try request(&random)
                        _ = try await exchange(request, policy, cache)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
