import FoundationEssentials
import Glibc
import Vitrine
import VitrineHTTP
import VitrineStorage

/// Fresh hits of one size through the whole HTTP cache, in memory and over the disk store.
struct HTTPSpeed {
    let folder: String
    /// How many hits one turn has.
    let count: Int

    private static let size = 16_384
    private static let pictures = 64

    func run() async throws {
        mkdir(folder, 0o700)
        let memory = MemoryResponseStore(maximumBytes: 64 << 20)
        try await measure("memory", HTTPCache(over: Server(), store: memory))
        let disk = DiskStore(DiskStore.Configuration(directory: "\(folder)/http"))
        try await measure("disk", HTTPCache(over: Server(), store: disk.responses))
    }

    private func measure(_ name: String, _ cache: HTTPCache) async throws {
        let transport = cache.transport()
        let requests = (0..<Self.pictures).compactMap { number in
            URL(string: "https://images.example.org/albums/2026/autumn/\(number).jpg?width=640")
                .map { HTTP.Request($0) }
        }
        for request in requests {
            let response = try await transport.exchange(request)
            let body = try await response.body.collect(limit: Self.size)
            await response.ticket?.store(BodySpool(body))
        }
        func hit(_ number: Int) async throws {
            let response = try await transport.exchange(requests[number &* 29 % requests.count])
            guard response.source == .cache,
                try await response.body.collect(limit: Self.size).count == Self.size
            else { throw Turns.Failure(what: "no hit") }
        }
        for number in 0..<200 { try await hit(number) }
        Turns.report(name, try await Turns.cost(of: count, hit), .none)
    }

    /// What a picture server sends.
    private struct Server: Transport {
        let body = DiskSpeed.body(HTTPSpeed.size, 1)

        func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
            let headers: HTTP.Headers = [
                "Server": "nginx/1.22.1", "Content-Type": "image/jpeg",
                "Content-Length": "\(HTTPSpeed.size)",
                "Last-Modified": "Sun, 01 Nov 2026 10:00:00 GMT",
                "ETag": "\"6545a2f0-4000\"", "Cache-Control": "max-age=86400",
                "Accept-Ranges": "bytes",
            ]
            return HTTP.Response(
                url: request.url, status: 200, headers: headers, body: .bytes(body))
        }
    }
}
