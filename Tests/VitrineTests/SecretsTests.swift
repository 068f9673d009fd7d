import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Whose picture is whose, and what stands where after a load with secrets.
@Suite struct SecretsTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test(
        "C11: a server that forgets Vary cannot hand one user's picture to another",
        arguments: ["Authorization", "Cookie", "X-Api-Key"])
    func partitions(_ name: String) async throws {
        let (png, jpeg) = (
            [UInt8](try Fixture.data("scene.png")), [UInt8](try Fixture.data("scene.jpg"))
        )
        bench.origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    request.header(name) == "ann" ? png : jpeg,
                    headers: ["Cache-Control: max-age=60"])
            })
        func request(_ value: String?, _ policy: CachePolicy = .standard) -> ImageRequest {
            bench.request("/a") {
                $0.headers["Accept"] = "image/*"
                if let value { $0.headers[name] = value }
                $0.secretHeaders = ["x-api-key"]
                $0.cachePolicy = policy
            }
        }
        let loader = bench.loader()
        let ann = try await loader.image(for: request("ann"))
        let bob = try await loader.image(for: request("bob"))
        #expect(ann.info.format == .png && bob.info.format == .jpeg)
        #expect(loader.cachedImage(for: request(nil)) == nil)
        let other = bench.loader()
        #expect(try await other.image(for: request("bob")).info.format == .jpeg)
        #expect(try await other.response(for: request("ann")).source == .disk)
        #expect(bench.origin.requests(for: "/a").count == 2)
        await #expect(throws: ImageError.self) {
            try await other.image(for: request("eve", .cacheOnly))
        }
        await #expect(throws: ImageError.self) {
            try await other.image(for: request(nil, .cacheOnly))
        }
    }

    @Test("C11: all secrets together make the partition, in any order and letter case")
    func together()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        func request(_ headers: [String: String]) -> ImageRequest {
            bench.request("/a") {
                $0.headers = headers
                $0.cachePolicy = .cacheOnly
            }
        }
        var first = request(["Authorization": "a", "Cookie": "b"])
        first.cachePolicy = .standard
        let loader = bench.loader()
        _ = try await loader.image(for: first)
        for loader in [loader, bench.loader()] {
            _ = try await loader.image(for: request(["cookie": "b", "AUTHORIZATION": "a"]))
            for other in [
                ["Authorization": "a"], ["Cookie": "b"], ["Authorization": "b", "Cookie": "a"],
                ["Authorization": "a", "Cookie": "c"], [:],
            ] {
                await #expect(throws: ImageError.self) {
                    try await loader.image(for: request(other))
                }
            }
        }
    }

    @Test("C11: within a named partition a rotated token or cookie keeps its cache") func rotated()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        func request(_ token: String) -> ImageRequest {
            bench.request("/a") {
                $0.headers = ["Authorization": token, "Cookie": token]
                $0.partition = "ann"
            }
        }
        let loader = bench.loader()
        _ = try await loader.image(for: request("one"))
        #expect(loader.cachedImage(for: request("two")) != nil)
        #expect(try await bench.loader().response(for: request("three")).source == .disk)
    }

    @Test("C11: no secret and no key stands in any file, file name, error or text") func nowhere()
        async throws
    {
        let secrets = [
            "tok-authorization", "tok-cookie", "tok-apikey", "tok-partition", "tok-key", "tok-user",
            "tok-group",
        ]
        let signature = "tok-signature"
        for path in ["/a", "/b"] {
            try bench.serve(
                path, "scene.png", "Cache-Control: max-age=60", "Vary: Cookie, X-Api-Key")
        }
        bench.origin.route("/bad", .status(500))
        let loader = bench.loader {
            $0.groups = [CacheGroup("tok-group")]
            $0.storesProcessedImages = true
        }
        func request(_ path: String, _ change: (inout ImageRequest) -> Void = { _ in })
            -> ImageRequest
        {
            bench.request(path) {
                $0.headers = [
                    "Authorization": "Bearer tok-authorization", "Cookie": "id=tok-cookie",
                    "X-Api-Key": "tok-apikey",
                ]
                $0.secretHeaders = ["X-Api-Key"]
                $0.filters = [.invert()]
                change(&$0)
            }
        }
        let signed = request("/a?sig=\(signature)")
        var texts: [String] = []
        for request in [
            signed, request("/b") { $0.partition = "tok-partition" },
            request("/b") {
                $0.key = "tok-key"
                $0.store = .group("tok-group")
            },
        ] {
            let response = try await loader.response(for: request)
            await loader.waitUntilIdle()
            let entry = try #require(await loader.cacheEntry(for: request))
            texts += [response.description, entry.description]
            #expect(entry.headers.keys.contains("cache-control"))
        }
        var user = request("/a")
        user.url = try #require(
            URL(
                string: bench.origin.url("/bad?sig=\(signature)").absoluteString
                    .replacingOccurrences(of: "//", with: "//tok-user:tok-user@")))
        let error = await #expect(throws: ImageError.self) { try await loader.image(for: user) }
        texts += [error?.description ?? "", error?.localizedDescription ?? "none"]
        for text in texts {
            for secret in secrets + [signature] { #expect(!text.contains(secret)) }
        }
        try await check(secrets, signature)
    }

    /// Looks at every file of the cache: its name, its rights and its bytes.
    private func check(_ secrets: [String], _ signature: String) async throws {
        let root = bench.folder + "/cache"
        let names = try #require(FileManager.default.enumerator(atPath: root))
            .compactMap { $0 as? String }
        #expect(names.contains { $0.hasPrefix("groups/") } && names.contains("index.sqlite"))
        var foundSignature = false
        for name in [""] + names {
            let path = root + "/" + name
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let rights = (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
            let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
            #expect(rights == (isFolder ? 0o700 : 0o600), "\(name)")
            for secret in secrets + [signature] { #expect(!name.contains(secret)) }
            guard !isFolder else { continue }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // A group's name is kept in its folder, for the list of groups.
            for secret in secrets where !(secret == "tok-group" && name.hasSuffix("/name")) {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
            }
            if bytes.range(of: Data(signature.utf8)) != nil { foundSignature = true }
        }
        // A signed URL is the entry's key, whole: within the index, which nobody else may read. Under a
        // key of the user's it would stand there as well, as the URL from which the picture came.
        #expect(foundSignature)
    }
}
