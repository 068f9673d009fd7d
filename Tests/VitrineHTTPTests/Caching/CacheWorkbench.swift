import DeterminismSupport
import FoundationEssentials
import OriginSupport
import VitrineBase

@testable import VitrineHTTP

/// A cache in memory with a clock moved by hand, in front of an origin of its own.
final class CacheWorkbench: Sendable {
    struct Loaded {
        let data: Data
        let response: HTTP.Response
        var body: String { text(data) }
        var source: HTTP.Response.Source { response.source }
        var status: Int { response.status }
    }

    let origin: OriginServer
    let clock = ManualClock()
    let store = MemoryResponseStore()
    let cache: HTTPCache
    private let changed: Lock<[String]>
    private let arrived = Lock(0)

    init() throws {
        origin = try OriginServer.start()
        let changed = Lock<[String]>([])
        var configuration = HTTPCache.Configuration()
        configuration.onChange = { url in changed.withLock { $0.append(url.path()) } }
        self.changed = changed
        cache = HTTPCache(
            over: CurlTransport(configuration: .init(maximumConnectionsPerHost: 64)), store: store,
            configuration: configuration, time: clock.source)
    }

    deinit { origin.stop() }

    /// How many bytes of bodies have been read.
    var received: Int { arrived.withLock { $0 } }

    /// The paths of which a change was posted.
    var changes: [String] { changed.withLock { $0 } }

    /// Loads as a careful caller does: reads the body, and hands it over for storing.
    func load(
        _ path: String, _ policy: CachePolicy = .standard, method: HTTP.Method = .get,
        partition: String? = nil, headers: HTTP.Headers = [:],
        timeouts: HTTP.Timeouts = HTTP.Timeouts()
    ) async throws -> Loaded {
        let transport = cache.transport(policy: policy, partition: partition)
        let response = try await transport.exchange(
            HTTP.Request(
                origin.url(path), method: method, headers: headers, timeouts: timeouts))
        let spool = BodySpool()
        do throws(TransportError) {
            for try await chunk in response.body {
                try await spool.append(chunk)
                arrived.withLock { $0 += chunk.count }
                await response.ticket?.advance(spool)
            }
        } catch {
            await response.ticket?.storePart(spool, after: error)
            throw error
        }
        spool.finish()
        await response.ticket?.store(spool)
        return Loaded(data: try await spool.bytes(), response: response)
    }

    /// How often the origin was asked for a path.
    func count(_ path: String) -> Int { origin.requests(for: path).count }
}

extension Endpoint {
    /// 200 with a text and header lines.
    static func text(_ text: String, _ headers: OriginHeader...) -> Endpoint {
        .bytes(Array(text.utf8), headers: headers)
    }
}
