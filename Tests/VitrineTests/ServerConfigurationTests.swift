import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineHTTP

/// The configuration for servers that load what strangers ask for.
@Suite struct ServerConfigurationTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func loader(
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        var configuration = ImageLoader.Configuration.server
        configuration.diskCache = .none
        change(&configuration)
        return ImageLoader(configuration)
    }

    private func reason(_ loader: ImageLoader, _ text: String) async throws -> ImageError.Reason? {
        let url = try #require(URL(string: text))
        do throws(ImageError) {
            _ = try await loader.image(from: url)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "promise 30: no file, and no address that is not public",
        arguments: [
            "127.0.0.1", "localhost", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254",
            "100.64.0.1", "192.0.2.1", "224.0.0.1", "0.0.0.0", "[::1]", "[fe80::1]", "[fc00::1]",
            "[ff02::1]", "[2001:db8::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::]",
            "2130706433", "0x7f000001", "017700000001", "127.1",
        ])
    func addresses(_ host: String) async throws {
        let reason = try await reason(loader(), "http://\(host):\(bench.origin.port)/a")
        guard case .transport(.addressForbidden) = reason else {
            // Where there is no IPv6, there is no socket to be forbidden.
            guard case .transport(.connect) = reason, host.hasPrefix("[") else {
                Issue.record("\(host): \(String(describing: reason))")
                return
            }
            return
        }
        #expect(bench.origin.connectionCount == 0)
    }

    @Test("promise 30: no file") func files() async throws {
        #expect(try await reason(loader(), "file:///etc/passwd") == .unsupportedScheme("file"))
    }

    @Test("promise 30, R13: a proxy is an error, not a way round the rule")
    func proxy() async throws {
        let proxy = try ProxyServer()
        let guarded = loader { $0.proxy = .url("http://ann:hunter2@127.0.0.1:\(proxy.port)") }
        let reason = try await reason(guarded, "http://1.1.1.1/")
        guard case .transport(.proxy) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(proxy.heads.isEmpty)
        #expect("\(String(describing: reason))".contains("hunter2") == false)
    }

    @Test("R13: a loader goes through its proxy") func throughProxy() async throws {
        try bench.serve("/a", "scene.png")
        let proxy = try ProxyServer()
        let loader = bench.loader { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        _ = try await loader.image(for: bench.request("/a"))
        #expect(proxy.heads.count == 1)
    }

    @Test("R12: a server's limits are stricter") func limits() {
        let (server, plain) = (ImageLoader.Configuration.server, ImageLoader.Configuration())
        #expect(server.maximumBytes < plain.maximumBytes)
        #expect(server.maximumRedirects < plain.maximumRedirects)
        #expect(server.decodeLimits.maximumSourcePixels < plain.decodeLimits.maximumSourcePixels)
        #expect(server.decodeLimits.maximumResultPixels < plain.decodeLimits.maximumResultPixels)
        #expect(server.decodeLimits.maximumFrames < plain.decodeLimits.maximumFrames)
        #expect(server.timeouts.total != nil && plain.timeouts.total == nil)
    }
}
