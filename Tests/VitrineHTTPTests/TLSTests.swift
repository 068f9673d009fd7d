import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// HTTP/2 and TLS against nginx, with a certificate made by openssl; skipped where either is absent
/// (`nginx-light` and `openssl` bring them).
@Suite(.enabled(if: SecureServer.isAvailable)) struct TLSTests {
    @Test("R13: HTTP/2 over TLS, one connection for many transfers")
    func http2() async throws {
        let server = try await SecureServer.start(files: ["a.bin": patterned(50_000)])
        let transport = CurlTransport(
            configuration: .init(security: .init(authorityFile: server.certificate)))
        let url = server.url("/a.bin")
        let (response, body) = try await transport.fetch(url)
        #expect(response.version == .http2)
        #expect(response.timings.tls != nil)
        #expect(body == Data(patterned(50_000)))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let (response, body) = try await transport.fetch(url)
                    return response.version == .http2 && response.timings.reusedConnection
                        && body.count == 50_000
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("R13: HTTP/2 can be forbidden, per transport and per request")
    func http1() async throws {
        let server = try await SecureServer.start(files: ["a.bin": [1]])
        let one = CurlTransport(
            configuration: .init(
                security: .init(authorityFile: server.certificate), httpVersion: .http11))
        #expect(try await one.fetch(server.url("/a.bin")).response.version == .http11)
        let both = CurlTransport(
            configuration: .init(security: .init(authorityFile: server.certificate)))
        let request = HTTP.Request(server.url("/a.bin"), allowsHTTP2: false)
        #expect(try await both.fetch(request).response.version == .http11)
    }

    @Test("R13: a certificate that nobody trusts is refused")
    func untrusted() async throws {
        let server = try await SecureServer.start(files: [:])
        guard
            case .tls(let host, let reason) = await CurlTransport().failure(server.url("/"))
        else {
            Issue.record("it was trusted")
            return
        }
        #expect(host == "127.0.0.1")
        #expect(reason.contains("certificate"))
    }

    @Test func aServerThatDoesNotSpeakTLS() async throws {
        try await withOrigin { server throws in
            let target = try url("https://127.0.0.1:\(server.port)/")
            guard case .tls = await CurlTransport().failure(target) else {
                Issue.record("no error of TLS")
                return
            }
        }
    }

    @Test func aSlowReaderOverHTTP2() async throws {
        let bytes = patterned(4 << 20)
        let server = try await SecureServer.start(files: ["big.bin": bytes])
        let transport = CurlTransport(
            configuration: .init(security: .init(authorityFile: server.certificate)))
        let response = try await transport.exchange(HTTP.Request(server.url("/big.bin")))
        var received = Data()
        for try await chunk in response.body {
            received.append(chunk)
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(received == Data(bytes))
    }
}
