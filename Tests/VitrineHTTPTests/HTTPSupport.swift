import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Runs `body` with an origin of its own.
func withOrigin<Result>(
    _ routes: [String: Endpoint] = [:], _ body: (OriginServer) async throws -> Result
) async throws -> Result {
    let server = try OriginServer.start()
    defer { server.stop() }
    for (path, endpoint) in routes { server.route(path, endpoint) }
    return try await body(server)
}

extension Transport {
    /// One exchange and its whole body.
    func fetch(
        _ request: HTTP.Request, limit: Int = 64 << 20
    ) async throws(TransportError) -> (response: HTTP.Response, body: Data) {
        let response = try await exchange(request)
        return (response, try await response.body.collect(limit: limit))
    }

    func fetch(_ url: URL) async throws(TransportError) -> (response: HTTP.Response, body: Data) {
        try await fetch(HTTP.Request(url))
    }

    /// The error of one exchange and its body; nil if there is none.
    func failure(_ request: HTTP.Request) async -> TransportError? {
        do throws(TransportError) {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }

    func failure(_ url: URL) async -> TransportError? { await failure(HTTP.Request(url)) }
}

/// Waits until something holds, at most ten seconds.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<1000 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}

func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

/// Bytes that do not repeat at any power of two; quick to make, also in a debug build.
func patterned(_ count: Int) -> [UInt8] {
    let block = (0..<min(count, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count { bytes += block }
    return Array(bytes.prefix(count))
}

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// A time within which all is over by far, on a busy machine too; what hangs takes 30 s and more.
let soon = Duration.seconds(15)
