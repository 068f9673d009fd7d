import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineImaging

@testable import Vitrine

/// What requests say about the pictures that they take.
@Suite struct AcceptTests {
    private func header(_ rule: ContentTypeRule = .bytesDecide, svg: Bool = false) -> String {
        AcceptHeader.value(for: rule, allowsSVG: svg)
    }

    @Test("R3: what this process decodes, in a fixed order")
    func list() {
        #expect(header().hasPrefix("image/avif, image/webp, "))
        #expect(header().hasSuffix(", */*;q=0.1"))
        let types = header().split(separator: ", ").map { $0.prefix { $0 != ";" } }
        #expect(Set(types).count == types.count)
        #expect(types.contains("image/jpeg") && types.contains("image/apng"))
        #expect(!header().contains("svg"))
        #expect(
            header(svg: true).contains("image/svg+xml;q=0.9")
                == RasterFormat.decodable.contains(.svg))
        let strict = header(.headerMustMatch.accepting("image/x-own"))
        #expect(strict.hasSuffix(", image/x-own;q=0.5, application/octet-stream;q=0.1"))
    }

    @Test("R3: what is said to be decodable is what libvips and the decoders here have")
    func decodable() {
        let others: Set<RasterFormat> = [.bmp, .ico, .xbm, .png, .gif, .webp, .jpeg, .avif]
        let all = VipsDecoder().formats.union(SVGDecoder().formats).union(others)
        #expect(Set(RasterFormat.decodable) == all)
        #expect(RasterFormat.decodable == RasterFormat.allCases.filter(all.contains))
    }

    @Test("R3: it is sent unless the request has one, and changes no identity")
    func sent() async throws {
        let bench = try Workbench()
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .bytes(png, headers: ["Cache-Control: max-age=60", "Vary: Accept"]))
        let loader = bench.loader()
        let request = bench.request("/a")
        #expect(try await loader.response(for: request).source == .network)
        #expect(try await loader.response(for: request).source == .memory)
        // A stored response of `Vary: Accept` is found by the next launch.
        #expect(try await bench.loader().response(for: request).source == .disk)
        #expect(bench.origin.requests(for: "/a").map { $0.header("Accept") } == [header()])
        let own = bench.request("/a") { $0.headers["accept"] = "image/png" }
        #expect(try await loader.response(for: own).source == .network)
        #expect(bench.origin.requests(for: "/a").last?.header("Accept") == "image/png")
    }
}
