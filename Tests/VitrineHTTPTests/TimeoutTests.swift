import FoundationEssentials
import OriginSupport
import SlowResolver
import Testing
import VitrineBase

@testable import VitrineHTTP

@Suite struct TimeoutTests {
    let transport = CurlTransport()
    let short = Duration.milliseconds(300)

    @Test("R12: the idle limit ends a silent server, before the head and in the body")
    func idle() async throws {
        try await withOrigin(["/never": .never, "/stall": .stall(afterBytes: 5000)]) {
            server throws in
            for path in ["/never", "/stall"] {
                let request = HTTP.Request(server.url(path), timeouts: .init(idle: short))
                let began = ContinuousClock.now
                #expect(
                    await transport.failure(request) == .timeout(phase: .idle, after: short))
                #expect(ContinuousClock.now - began >= short)
                #expect(ContinuousClock.now - began < soon)
            }
        }
    }

    @Test("R12: a body that is slow but not silent is not idle")
    func slowIsNotIdle() async throws {
        try await withOrigin(["/a": .slowBody(patterned(1200), bytesPerSecond: 1000)]) {
            server throws in
            let request = HTTP.Request(server.url("/a"), timeouts: .init(idle: .milliseconds(600)))
            #expect(try await transport.fetch(request).body.count == 1200)
        }
    }

    @Test("R12: the total limit ends a transfer that is busy")
    func total() async throws {
        try await withOrigin(["/a": .slowBody(patterned(100_000), bytesPerSecond: 1000)]) {
            server throws in
            let request = HTTP.Request(server.url("/a"), timeouts: .init(total: short))
            #expect(await transport.failure(request) == .timeout(phase: .total, after: short))
        }
    }

    @Test("R12: the connect limit covers name resolution")
    func resolving() async throws {
        let request = HTTP.Request(
            try url("http://hangs.test/"), timeouts: .init(connect: short))
        let began = ContinuousClock.now
        #expect(await transport.failure(request) == .timeout(phase: .connect, after: short))
        #expect(ContinuousClock.now - began < soon)
    }

    @Test("R12: the limits hold for a transfer that waits for a connection")
    func waitingForAConnection() async throws {
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        try await withOrigin(["/never": .never, "/a": .bytes([1])]) { server throws in
            let first = HTTP.Request(server.url("/never"))
            let blocker = Task { await transport.failure(first) }
            #expect(try await eventually { server.requestCount == 1 })
            let total = HTTP.Request(server.url("/a"), timeouts: .init(total: short))
            let connect = HTTP.Request(server.url("/a"), timeouts: .init(connect: short))
            #expect(await transport.failure(total) == .timeout(phase: .total, after: short))
            #expect(await transport.failure(connect) == .timeout(phase: .connect, after: short))
            blocker.cancel()
            #expect(await blocker.value == .cancelled)
            #expect(try await transport.fetch(server.url("/a")).body == Data([1]))
        }
    }

    @Test func longAndNegativeTimesAreClamped() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let forever = HTTP.Request(
                server.url("/a"),
                timeouts: .init(
                    connect: .seconds(Int64.max), idle: .seconds(Int64.max),
                    total: .seconds(Int64.max)))
            #expect(try await transport.fetch(forever).body == Data([1]))
            let never = HTTP.Request(server.url("/a"), timeouts: .init(total: .seconds(-1)))
            #expect(
                await transport.failure(never) == .timeout(phase: .total, after: .seconds(-1)))
        }
    }
}
