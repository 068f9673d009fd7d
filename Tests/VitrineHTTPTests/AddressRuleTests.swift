import FoundationEssentials
import Glibc
import OriginSupport
import SlowResolver
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Promise 30: the rule is asked about the address that is connected. Serialized, since the name that
/// changes its address is one for the whole process.
@Suite(.serialized) struct AddressRuleTests {
    let guarded = CurlTransport(configuration: .init(addressRule: .publicOnly))

    @Test("Promise 30: a private address is not connected, however it is written")
    func loopback() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            for host in [
                "127.0.0.1", "localhost", "2130706433", "0x7f.1", "loopback.test", "[::1]",
                "[::ffff:127.0.0.1]", "0.0.0.0",
            ] {
                let target = try url("http://\(host):\(server.port)/a")
                guard case .addressForbidden = await guarded.failure(target) else {
                    Issue.record("\(host) was connected")
                    continue
                }
            }
            #expect(
                await guarded.failure(server.url("/a"))
                    == .addressForbidden(host: "127.0.0.1", address: "127.0.0.1"))
            #expect(server.connectionCount == 0)
        }
    }

    @Test("Promise 30: a redirect to a private address is not followed")
    func redirect() async throws {
        try await withOrigin(["/secret": .bytes([1])]) { inner throws in
            let redirecting = Redirecting(to: inner.url("/secret"), over: guarded)
            let failure = await RedirectFollower(over: redirecting).failure(
                try url("http://public.test/a"))
            #expect(failure == .addressForbidden(host: "127.0.0.1", address: "127.0.0.1"))
            #expect(inner.connectionCount == 0)
        }
    }

    @Test("Promise 30: a name that changes its address after a check does not get past the rule")
    func rebinding() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let target = try url("http://rebinds.test:\(server.port)/a")
            // A look-up before the request finds a public address.
            slow_resolver_rebind("192.88.98.1")
            var found: UnsafeMutablePointer<addrinfo>?
            #expect(getaddrinfo("rebinds.test", nil, nil, &found) == 0)
            freeaddrinfo(found)
            slow_resolver_rebind("127.0.0.1")
            #expect(
                await guarded.failure(target)
                    == .addressForbidden(host: "rebinds.test", address: "127.0.0.1"))
            #expect(server.connectionCount == 0)
            #expect(try await CurlTransport().fetch(target).body == Data([1]))
        }
    }

    @Test("Promise 30: a rule of one's own sees each address")
    func ownRule() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let seen = Lock<[IPAddress]>([])
            let rule = AddressRule { address in
                seen.withLock { $0.append(address) }
                return true
            }
            let transport = CurlTransport(configuration: .init(addressRule: rule))
            let target = try url("http://loopback.test:\(server.port)/a")
            #expect(try await transport.fetch(target).body == Data([1]))
            #expect(seen.withLock { $0 } == [IPAddress("127.0.0.1")])
        }
    }
}

/// Answers the first request with a redirect, as a public server would, and passes on the rest.
private struct Redirecting: Transport {
    let target: URL
    let base: any Transport

    init(to target: URL, over base: any Transport) {
        self.target = target
        self.base = base
    }

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        guard request.url.host() == "public.test" else { return try await base.exchange(request) }
        return HTTP.Response(
            url: request.url, status: 302, headers: ["Location": target.absoluteString])
    }
}
