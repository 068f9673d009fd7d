import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Through a proxy that is on loopback, too.
@Suite struct ProxyTests {
    private func transport(
        _ proxy: String, security: TransportSecurity = TransportSecurity(),
        rule: AddressRule = .any
    ) -> CurlTransport {
        CurlTransport(
            configuration: .init(addressRule: rule, security: security, proxy: .url(proxy)))
    }

    @Test("R13: a plain request goes through the proxy, with its credentials")
    func plain() async throws {
        let proxy = try ProxyServer(credentials: "YW5uOmEgYg==")  // ann:a b
        try await withOrigin(["/a": .echo]) { server throws in
            let target = server.url("/a?q=1")
            let through = transport("http://ann:a%20b@127.0.0.1:\(proxy.port)")
            let seen = text(try await through.fetch(target).body)
            #expect(seen.hasPrefix("GET /a?q=1 HTTP/1.1\r\n"))
            #expect(
                proxy.heads.first?.hasPrefix("GET http://127.0.0.1:\(server.port)/a?q=1 ") == true)
            let wrong = transport("http://ann:wrong@127.0.0.1:\(proxy.port)")
            #expect(try await wrong.fetch(target).response.status == 407)
            // Without a proxy, the proxy hears nothing.
            let heard = proxy.heads.count
            let direct = CurlTransport(configuration: .init(proxy: .none))
            #expect(try await direct.fetch(target).response.status == 200)
            #expect(proxy.heads.count == heard)
        }
    }

    @Test(
        "R13, promise 29: TLS goes by CONNECT, and the proxy sees no header of the request",
        .enabled(if: SecureServer.isAvailable))
    func tunnel() async throws {
        let server = try await SecureServer.start(files: ["a.bin": [1, 2]])
        let security = TransportSecurity(authorityFile: server.certificate)
        let proxy = try ProxyServer(credentials: "YW5uOnB3")  // ann:pw
        let request = HTTP.Request(
            server.url("/a.bin"), headers: ["Authorization": "hunter2", "Cookie": "hunter2"])
        let through = transport("http://ann:pw@127.0.0.1:\(proxy.port)", security: security)
        let (response, body) = try await through.fetch(request)
        #expect(response.status == 200 && body == Data([1, 2]))
        // The answer to CONNECT is no part of the response.
        #expect(response.headers["Server"]?.hasPrefix("nginx") == true)
        let head = try #require(proxy.heads.first)
        #expect(head.hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\n"))
        #expect(!head.contains("hunter2"))

        let wrong = transport("http://ann:no@127.0.0.1:\(proxy.port)", security: security)
        #expect(
            await wrong.failure(request)
                == .proxy(reason: "it answered with status 407 (authentication required)"))
    }

    @Test("R13, R6: what is wrong with a proxy is said, without its password")
    func failures() async throws {
        let closed = try ProxyServer()
        closed.stop()
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            for (proxy, reason) in [
                ("http://ann:hunter2@127.0.0.1:\(closed.port)", "Connection refused"),
                (
                    "http://ann:hunter2@no-such-host.invalid:3128",
                    "its name or address cannot be found"
                ),
                (
                    "gopher://ann:hunter2@127.0.0.1:1",
                    "there is no kind of proxy of the name gopher"
                ),
                ("ann:hunter2@127.0.0.1:1", "its URL has no scheme"),
                ("http://ann:hunter2@", "its URL names no host"),
                ("http://ann:hunter2@a b", "its URL names no host"),
            ] {
                #expect(
                    await transport(proxy).failure(server.url("/a")) == .proxy(reason: reason),
                    "\(TransportProxy.url(proxy))")
            }
            #expect(server.requestCount == 0)
        }
    }

    @Test("Promise 30: where addresses are checked, a proxy is an error")
    func guarded() async throws {
        let proxy = try ProxyServer()
        let failure = await transport("http://127.0.0.1:\(proxy.port)", rule: .publicOnly).failure(
            try url("http://1.1.1.1/"))
        guard case .proxy = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(proxy.heads.isEmpty)
        #expect(TransportProxy.environment.curlProxy(addressRule: .publicOnly) == "")
    }
}
