import FoundationEssentials
import OriginSupport
import SlowResolver
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Promise 6: cancelling ends a transfer at once, wherever it is.
@Suite struct CancellationTests {
    let transport = CurlTransport()

    /// Starts a fetch, cancels it when `isReady`, and expects the end to come soon.
    private func cancel(
        _ request: HTTP.Request, on transport: CurlTransport, when isReady: () -> Bool
    ) async throws {
        let task = Task { await transport.failure(request) }
        #expect(try await eventually(isReady))
        let began = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(ContinuousClock.now - began < soon)
    }

    @Test("Promise 6: before the head, and the connection is closed")
    func beforeTheHead() async throws {
        try await withOrigin(["/never": .never]) { server throws in
            try await cancel(HTTP.Request(server.url("/never")), on: transport) {
                server.requestCount == 1
            }
            #expect(try await eventually { server.openConnections == 0 })
        }
    }

    @Test("Promise 6: in the body")
    func inTheBody() async throws {
        try await withOrigin(["/stall": .stall(afterBytes: 100_000)]) { server throws in
            let response = try await transport.exchange(HTTP.Request(server.url("/stall")))
            let task = Task {
                var count = 0
                for try await chunk in response.body { count += chunk.count }
                return count
            }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            await #expect(throws: TransportError.cancelled) { try await task.value }
            #expect(try await eventually { server.openConnections == 0 })
        }
    }

    @Test("Promise 6: while the name is resolved, and others go on meanwhile")
    func whileResolving() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let before = slow_resolver_hanging()
            let request = HTTP.Request(try url("http://hangs.test:\(server.port)/"))
            let task = Task { await transport.failure(request) }
            #expect(try await eventually { slow_resolver_hanging() > before })
            let began = ContinuousClock.now
            #expect(try await transport.fetch(server.url("/a")).body == Data([1]))
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(try await transport.fetch(server.url("/a")).body == Data([1]))
            #expect(ContinuousClock.now - began < soon)
        }
    }

    @Test("Promise 6: while connecting")
    func whileConnecting() async throws {
        // A listener whose queue is full lets connections wait.
        let full = try FullListener()
        let request = HTTP.Request(try url("http://127.0.0.1:\(full.port)/"))
        let began = ContinuousClock.now
        try await cancel(request, on: transport) {
            ContinuousClock.now - began > .milliseconds(100)
        }
        let short = Duration.milliseconds(300)
        let timed = HTTP.Request(request.url, timeouts: .init(connect: short))
        #expect(await transport.failure(timed) == .timeout(phase: .connect, after: short))
    }

    @Test("Promise 6: while it waits for a connection, which is then free")
    func whileWaiting() async throws {
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        try await withOrigin(["/never": .never, "/a": .bytes([1])]) { server throws in
            let first = HTTP.Request(server.url("/never"))
            let blocker = Task { await transport.failure(first) }
            #expect(try await eventually { server.requestCount == 1 })
            let began = ContinuousClock.now
            try await cancel(HTTP.Request(server.url("/a")), on: transport) {
                ContinuousClock.now - began > .milliseconds(50)
            }
            blocker.cancel()
            #expect(await blocker.value == .cancelled)
            #expect(try await transport.fetch(server.url("/a")).body == Data([1]))
            #expect(server.requests(for: "/a").count == 1)
        }
    }

    @Test("Promise 6: a task cancelled before it starts sends nothing")
    func before() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let request = HTTP.Request(server.url("/a"))
            let transport = transport
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await transport.failure(request)
            }
            #expect(await task.value == .cancelled)
            _ = try await transport.fetch(server.url("/b"))
            #expect(server.requests(for: "/a").isEmpty)
        }
    }

    @Test("Promise 6: dropping a body ends its transfer")
    func dropping() async throws {
        try await withOrigin(["/stall": .stall(afterBytes: 10)]) { server throws in
            var response: HTTP.Response? = try await transport.exchange(
                HTTP.Request(server.url("/stall")))
            #expect(response?.status == 200)
            #expect(server.openConnections == 1)
            response = nil
            #expect(try await eventually { server.openConnections == 0 })
        }
    }

    @Test("Promise 5: many transfers, cancelled at random moments, all end")
    func stress() async throws {
        try await withOrigin([
            "/a": .delayed(.milliseconds(3), then: .bytes(patterned(50_000)))
        ]) { server throws in
            let url = server.url("/a")
            let transport = transport
            let ended = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        let task = Task { await transport.failure(url) }
                        if index.isMultiple(of: 3) {
                            try? await Task.sleep(for: .microseconds(index * 37 % 20_000))
                            task.cancel()
                        }
                        let failure = await task.value
                        return failure == nil || failure == .cancelled
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(ended == 400)
        }
    }
}
