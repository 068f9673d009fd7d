import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// What can be set about TLS and versions, against nginx; skipped where it or openssl is absent.
@Suite(.enabled(if: SecureServer.isAvailable)) struct SecurityTests {
    @Test("R13: authorities from a file, a folder, or both")
    func authorities() async throws {
        let server = try await SecureServer.start(files: ["a.bin": [1]])
        let other = try await SecureServer.start(files: [:])
        let folder = try server.authorityFolder()
        for security in [
            TransportSecurity(authorityFile: server.certificate),
            TransportSecurity(authorityFolder: folder),
            TransportSecurity(authorityFile: other.certificate, authorityFolder: folder),
        ] {
            let transport = CurlTransport(configuration: .init(security: security))
            #expect(try await transport.fetch(server.url("/a.bin")).response.status == 200)
        }
        let wrong = CurlTransport(
            configuration: .init(security: .init(authorityFile: other.certificate)))
        guard case .tls = await wrong.failure(server.url("/a.bin")) else {
            Issue.record("another's authority was trusted")
            return
        }
        let missing = CurlTransport(
            configuration: .init(security: .init(authorityFile: "/no/such/file")))
        guard case .tls(_, let reason) = await missing.failure(server.url("/a.bin")) else {
            Issue.record("a file that is not there was taken")
            return
        }
        #expect(reason.contains("/no/such/file"))
    }

    @Test("R13: a server that asks for a certificate gets the client's")
    func clientCertificate() async throws {
        let server = try await SecureServer.start(
            files: ["a.bin": [1]], options: .init(asksForCertificate: true))
        func transport(_ own: TransportSecurity.ClientCertificate?) -> CurlTransport {
            CurlTransport(
                configuration: .init(
                    security: .init(authorityFile: server.certificate, clientCertificate: own)))
        }
        let none = try await transport(nil).fetch(server.url("/a.bin"))
        #expect(none.response.status == 400)
        let own = TransportSecurity.ClientCertificate(
            file: server.clientCertificate, keyFile: server.clientKey, password: "open sesame")
        #expect(try await transport(own).fetch(server.url("/a.bin")).body == Data([1]))
        for password in ["wrong", nil] {
            var bad = own
            bad.password = password
            guard case .tls(_, let reason) = await transport(bad).failure(server.url("/a.bin"))
            else {
                Issue.record("the key was opened with \(String(describing: password))")
                continue
            }
            #expect(!reason.contains("open sesame") && !reason.contains("wrong "))
        }
    }

    @Test("R13: a server that speaks only an older TLS than allowed is refused")
    func lowestVersion() async throws {
        let server = try await SecureServer.start(
            files: ["a.bin": [1]], options: .init(versions: "TLSv1.2"))
        let both = CurlTransport(
            configuration: .init(security: .init(authorityFile: server.certificate)))
        #expect(try await both.fetch(server.url("/a.bin")).response.status == 200)
        let strict = CurlTransport(
            configuration: .init(
                security: .init(authorityFile: server.certificate, lowestVersion: .tls13)))
        guard case .tls = await strict.failure(server.url("/a.bin")) else {
            Issue.record("TLS 1.2 was spoken")
            return
        }
    }

    @Test("R13: HTTP/2 is negotiated, forbidden, or required")
    func versions() async throws {
        let new = try await SecureServer.start(files: ["a.bin": [1]])
        let old = try await SecureServer.start(files: ["a.bin": [1]], options: .init(http2: false))
        func fetch(
            _ choice: HTTPVersionChoice, _ server: SecureServer
        ) async throws -> HTTP.Version {
            let security = TransportSecurity(authorityFile: server.certificate)
            let transport = CurlTransport(
                configuration: .init(security: security, httpVersion: choice))
            return try await transport.fetch(server.url("/a.bin")).response.version
        }
        #expect(try await fetch(.negotiated, new) == .http2)
        #expect(try await fetch(.negotiated, old) == .http11)
        #expect(try await fetch(.http11, new) == .http11)
        #expect(try await fetch(.http2, new) == .http2)
        await #expect(throws: TransportError.badResponse(reason: "it is HTTP/1.1, and not HTTP/2"))
        {
            try await fetch(.http2, old)
        }
        // Over a plain connection, too.
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            let transport = CurlTransport(configuration: .init(httpVersion: .http2))
            #expect(await transport.failure(server.url("/a")) != nil)
        }
    }

    @Test("Promise 29: neither password nor key shows when settings are printed")
    func secrets() {
        let own = TransportSecurity.ClientCertificate(file: "a.pem", password: "hunter2")
        let security = TransportSecurity(clientCertificate: own)
        let proxy = TransportProxy.url("http://ann:hunter2@proxy.test:3128")
        let configuration = CurlTransport.Configuration(security: security, proxy: proxy)
        var text =
            "\(own) \(security) \(proxy) \(configuration) \(Credential(user: "u", password: "hunter2"))"
        for value in [
            own as Any, security, proxy, configuration, Credential(user: "u", password: "hunter2"),
        ] {
            dump(value, to: &text)
            debugPrint(value, to: &text)
        }
        #expect(!text.contains("hunter2"))
        #expect("\(proxy)" == "http://proxy.test:3128")
    }
}
