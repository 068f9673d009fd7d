import Foundation
import FoundationNetworking
import OriginSupport
import PixelSupport
import Testing
import Vitrine

/// Responses of other clients.
@Suite struct ImageResponseSerializerTests {
    private let png: Data
    private let url: URL

    init() throws {
        png = try Fixture.data("scene.png")
        url = try #require(URL(string: "https://images.test/a?key=hunter2"))
    }

    private func head(
        _ status: Int? = 200, _ headers: [String: String] = [:], method: String = "GET"
    ) -> ImageResponseSerializer.Head {
        ImageResponseSerializer.Head(url: url, status: status, headers: headers, method: method)
    }

    private func failure(
        _ serializer: ImageResponseSerializer, _ data: Data?, _ head: ImageResponseSerializer.Head
    ) -> ImageError.Reason? {
        do throws(ImageError) {
            _ = try serializer.serialize(data, head)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("R1: a response of any client becomes an image")
    func image() async throws {
        let serializer = ImageResponseSerializer(options: DecodeOptions(scale: 2))
        let image = try #require(try serializer.serialize(png, head()).image)
        #expect(image.pixelSize == PixelSize(width: 96, height: 64))
        #expect(image.size == PointSize(width: 48, height: 32))
        let other = try await serializer.serialized(png, head(299, ["content-TYPE": "text/html"]))
        #expect(other.image?.info.format == .png)
        // What did not come over HTTP has neither status nor type.
        let strict = ImageResponseSerializer(contentTypes: .headerMustMatch)
        #expect(try strict.serialize(png, head(nil)).image != nil)
    }

    @Test(
        "R1: every other status is an error, with the facts",
        arguments: [100, 199, 300, 304, 404, 500])
    func status(_ status: Int) throws {
        let error = #expect(throws: ImageError.self) {
            try ImageResponseSerializer().serialize(png, head(status, ["Retry-After": "3"]))
        }
        #expect(error?.reason == .status(status))
        #expect(error?.url == url && error?.http?.status == status)
        #expect(error?.http?.headers == ["retry-after": "3"])
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("R1: a response may be empty where its status or its method says so, and nowhere else")
    func empty() async throws {
        var serializer = ImageResponseSerializer(contentTypes: .headerMustMatch)
        for (data, head) in [
            (nil, head(204)), (Data(), head(205)), (nil, head(200, method: "HEAD")),
            (Data(), head(200, method: "head")),
        ] {
            guard case .empty = try await serializer.serialized(data, head) else {
                Issue.record("\(head) is not empty")
                continue
            }
        }
        let nothing = ImageError.Reason.imaging(.notAnImage(found: "empty"))
        #expect(failure(serializer, nil, head()) == nothing)
        #expect(failure(serializer, Data(), head(200, ["Content-Type": "image/png"])) == nothing)
        #expect(failure(serializer, nil, head(404, method: "HEAD")) == .status(404))
        #expect(
            try serializer.serialize(png, head(204, ["Content-Type": "image/png"])).image != nil)
        serializer.emptyStatuses = [200]
        #expect(failure(serializer, nil, head(204)) == nothing)
        #expect(failure(serializer, nil, head(200)) == nil)
    }

    @Test("R2: by default the bytes decide; a strict rule wants a type from the list")
    func contentTypes() throws {
        let listed = """
            avif, avif-sequence, apng, bmp, gif, heic, heic-sequence, heif, heif-sequence, ico, jp2, \
            jpeg, jpg, jxl, png, tiff, webp, vnd.microsoft.icon, x-bmp, x-icon, x-ms-bmp, \
            x-win-bitmap, x-xbitmap
            """
        let types = listed.split(separator: ", ").map { "image/\($0)" }
        #expect(ContentTypeRule.standardTypes == Set(types + ["application/octet-stream"]))
        let strict = ImageResponseSerializer(contentTypes: .headerMustMatch)
        let loose = ImageResponseSerializer()
        for type in ContentTypeRule.standardTypes.flatMap({
            [$0, $0.uppercased(), "\($0) ; q=\"a\""]
        }) {
            #expect(try strict.serialize(png, head(200, ["Content-Type": type])).image != nil)
        }
        for type in [
            "text/html", "image/svg+xml", "image/*", "image/pngx", "image/png, image/gif", "",
        ] {
            let head = head(200, ["Content-Type": type])
            #expect(failure(strict, png, head) == .contentType(type))
            #expect(failure(loose, png, head) == nil)
        }
        #expect(failure(strict, png, head()) == .contentType(nil))
        let more = ImageResponseSerializer(
            contentTypes: .headerMustMatch.accepting("Image/X-Own; a=b", "binary/octet-stream"))
        #expect(failure(more, png, head(200, ["Content-Type": "image/x-own"])) == nil)
        #expect(failure(more, png, head(200, ["Content-Type": "text/html"])) != nil)
        #expect(failure(more, Data("<html>".utf8), head(200, ["Content-Type": "image/png"])) != nil)
        let svg = ContentTypeRule.headerMustMatch
        #expect(svg.accepts("image/svg+xml", allowsSVG: true) && !svg.accepts("image/svg+xml"))
    }

    @Test("R6: the errors' texts")
    func texts() {
        #expect(
            ImageError(.contentType("text/html"), url: url).description
                == "https://images.test/a?key=…: The server calls the content \"text/html\", "
                + "which is no accepted type of an image.")
        #expect(
            ImageError.Reason.contentType(nil).description
                == "The server does not say of what type the content is (no Content-Type).")
    }

    @Test("R1: responses of URLSession")
    func session() async throws {
        let origin = try OriginServer.start()
        defer { origin.stop() }
        origin.route("/a", .bytes([UInt8](png), type: "image/png"))
        let (data, response) = try await URLSession.shared.data(from: origin.url("/a"))
        let http = try #require(response as? HTTPURLResponse)
        let head = ImageResponseSerializer.Head(
            url: origin.url("/a"), status: http.statusCode,
            headers: http.allHeaderFields as? [String: String] ?? [:])
        let serializer = ImageResponseSerializer(contentTypes: .headerMustMatch)
        let image = try await serializer.serialized(data, head).image
        expectPixels(try #require(image).posterFrame, equals: Scene.plain, within: 0)
    }

    @Test("R2: a loader's strict rule is applied before the body, and to what is stored")
    func loader() async throws {
        let bench = try Workbench()
        bench.origin.route("/page", .stall(afterBytes: 10))
        bench.origin.route(
            "/a", .bytes([UInt8](png), type: "image/x-own", headers: ["Cache-Control: max-age=60"]))
        let strict = bench.loader { $0.contentTypes = .headerMustMatch }
        let page = await #expect(throws: ImageError.self) {
            try await strict.image(for: bench.request("/page"))
        }
        #expect(page?.reason == .contentType(nil) && page?.http?.status == 200)
        // The default loader takes and stores it; the strict one does not take it from the store.
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .network)
        let stored = await #expect(throws: ImageError.self) {
            try await strict.image(for: bench.request("/a"))
        }
        #expect(stored?.reason == .contentType("image/x-own"))
        let more = bench.loader { $0.contentTypes = .headerMustMatch.accepting("image/x-own") }
        #expect(try await more.response(for: bench.request("/a")).source == .disk)
    }

    @Test("R1: a loader has no image where a response has no content", arguments: [204, 205])
    func noContent(_ status: Int) async throws {
        let bench = try Workbench()
        bench.origin.route("/a", .status(status))
        let error = await #expect(throws: ImageError.self) {
            try await bench.loader().image(for: bench.request("/a"))
        }
        #expect(error?.reason == .status(status))
    }
}
