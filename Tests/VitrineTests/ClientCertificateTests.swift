import Foundation
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Whose is what servers give to those who show a certificate.
@Suite struct ClientCertificateTests {
    private let bench: Workbench
    private let shown = Shown()

    init() throws { bench = try Workbench() }

    /// A server that counts how often it is asked.
    private final class Shown: Transport {
        let count = Lock(0)

        func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
            count.withLock { $0 += 1 }
            guard let data = try? Fixture.data("scene.png") else {
                throw .storage(reason: "there is no fixture")
            }
            return HTTP.Response(
                url: request.url, status: 200, headers: ["Cache-Control": "max-age=600"],
                body: .bytes(data))
        }
    }

    /// A loader over the one folder that shows what lies in a file of that name; none with nil.
    private func loader(_ certificate: String?) -> ImageLoader {
        bench.loader {
            $0.transport = shown
            $0.security.clientCertificate = certificate.map {
                .init(file: "\(bench.folder)/\($0)")
            }
        }
    }

    private func source(
        _ certificate: String?, _ scheme: String = "https", _ partition: String? = nil
    ) async throws -> ImageResponse.Source {
        let loader = loader(certificate)
        var request = ImageRequest(try #require(URL(string: "\(scheme)://a.example/picture")))
        request.partition = partition
        let response = try await loader.response(for: request)
        await loader.waitUntilIdle()
        let entry = try #require(await loader.cacheEntry(for: request))
        #expect(entry.url == request.url)
        return response.source
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(bench.folder)/\(name)"))
    }

    @Test("C11: two client certificates share no entry on disk, and none with those who show none")
    func partitions() async throws {
        try write("ann's", "ann.pem")
        try write("bob's", "bob.pem")
        for certificate in ["ann.pem", "bob.pem", nil] {
            #expect(try await source(certificate) == .network)
        }
        for certificate in ["ann.pem", "bob.pem", nil] {
            #expect(try await source(certificate) == .disk)
        }
        #expect(shown.count.withLock { $0 } == 3)
    }

    @Test("C11: it is the certificate that counts, not where it lies") func content() async throws {
        try write("ann's", "ann.pem")
        #expect(try await source("ann.pem") == .network)
        try write("ann's", "copy.pem")
        #expect(try await source("copy.pem") == .disk)
        try write("bob's", "ann.pem")
        #expect(try await source("ann.pem") == .network)
        // One that cannot be read is nobody's but its own.
        for _ in 0..<2 { _ = try await source("none.pem") }
        #expect(shown.count.withLock { $0 } == 3)
    }

    @Test("C11: a named partition keeps its cache, and without TLS no certificate is shown")
    func others() async throws {
        try write("ann's", "ann.pem")
        try write("ann's, renewed", "new.pem")
        #expect(try await source("ann.pem", "https", "ann") == .network)
        #expect(try await source("new.pem", "https", "ann") == .disk)
        #expect(try await source("ann.pem", "http") == .network)
        #expect(try await source(nil, "http") == .disk)
    }
}
