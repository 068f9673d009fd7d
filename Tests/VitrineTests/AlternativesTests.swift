import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct AlternativesTests {
    private let bench: Workbench
    private let png: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    @Test("R14: sources are tried in turn until one can be had")
    func inTurn() async throws {
        bench.origin.route("/broken", .bytes([1, 2, 3]))
        try bench.serve("/c", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let request = bench.request("/a") {
            $0.alternatives = ["/missing", "/broken", "/c", "/d"].map { [bench] in
                bench.request($0)
            }
        }
        let response = try await loader.response(for: request)
        #expect(response.request.url == bench.origin.url("/c"))
        #expect(response.http?.status == 200)
        let asked = ["/a", "/missing", "/broken", "/c", "/d"].map { [bench] in
            bench.origin.requests(for: $0).count
        }
        #expect(asked == [1, 1, 1, 1, 0])
        // It is the alternative's picture, and not that of the first.
        #expect(loader.cachedImage(for: bench.request("/c")) != nil)
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
        let again = try await loader.response(for: request)
        #expect(again.source == .memory && again.request.url == bench.origin.url("/c"))
    }

    @Test("R14: if none can be had, the first failure is told, with its URL")
    func none() async throws {
        bench.origin.route("/a", .status(410))
        bench.origin.route("/b", .status(500))
        let request = bench.request("/a") {
            var broken = bench.request("/b")
            broken.scale = 0
            $0.alternatives = [bench.request("/b"), broken]
        }
        let error = await #expect(throws: ImageError.self) {
            try await bench.loader().image(for: request)
        }
        #expect(error?.reason == .status(410))
        #expect(error?.url == request.url)
    }

    @Test("R14: a request that cannot even begin has alternatives too, and theirs do not count")
    func atOnce() async throws {
        try bench.serve("/b", "scene.png")
        let loader = bench.loader()
        var request = bench.request("/a") { $0.alternatives = [bench.request("/b")] }
        request.scale = .nan
        #expect(try await loader.response(for: request).request.url == bench.origin.url("/b"))
        var nested = bench.request("/x") { $0.alternatives = [bench.request("/b")] }
        nested = bench.request("/a") { [nested] in $0.alternatives = [nested] }
        await #expect(throws: ImageError.self) { try await loader.image(for: nested) }
    }

    @Test("R14: another URL keeps the size and the filters, and no sources")
    func withURL() {
        let request = bench.request("/a") {
            $0.filters = [.circle]
            $0.alternatives = [bench.request("/b")]
            $0.lowResolution = bench.request("/c")
            $0.retry = ImageRequest.Retry.none
        }
        let other = request.with(url: bench.origin.url("/d"))
        #expect(other.url == bench.origin.url("/d") && other.filters.count == 1)
        #expect(
            other.alternatives.isEmpty && other.lowResolution == nil
                && other.retry == ImageRequest.Retry.none)
        #expect(request.alternatives.count == 1, "it is a value")
    }

    @Test("R14, promise 1: alternatives are shared with whoever asks for them")
    func shared() async throws {
        bench.origin.route("/b", .delayed(.milliseconds(200), then: .bytes(png)))
        let loader = bench.loader()
        let tasks = ["/x", "/y", "/b"].map { [bench] path in
            loader.task(for: bench.request(path) { $0.alternatives = [bench.request("/b")] })
        }
        for task in tasks { _ = try await task.image }
        #expect(bench.origin.requests(for: "/b").count == 1)
    }

    @Test("R14, promise 6: cancelling ends it whichever source is tried")
    func cancelled() async throws {
        bench.origin.route("/b", .never)
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a") { $0.alternatives = [bench.request("/b")] })
        let origin = bench.origin
        try await eventually("The second was not tried.") { !origin.requests(for: "/b").isEmpty }
        task.priority = .high
        task.cancel()
        #expect(task.isFinished)
        await loader.waitUntilIdle()
        try await eventually("The transfer goes on.") { origin.openConnections == 0 }
        #expect(loader.downloads == (0, 0))
    }

    // MARK: - A small picture beforehand

    private func events(_ task: ImageTask) async -> [String] {
        var events: [String] = []
        for await event in task.events {
            switch event {
            case .progress: break
            case .preview(let image): events.append("preview \(image.pixelSize.width)")
            case .finished(.success(let response)):
                events.append("image \(response.image.pixelSize.width)")
            case .finished(.failure(let error)): events.append("\(error.reason)")
            }
        }
        return events
    }

    private func small(_ path: String) -> ImageRequest {
        bench.request(path) { $0.targetSize = .fit(width: 24, height: 24) }
    }

    @Test("R14: the small picture is shown until the large one is there, and cached by itself")
    func lowResolution() async throws {
        try bench.serve("/small", "scene.png", "Cache-Control: max-age=60")
        let isOpen = Lock(false)
        let png = png
        bench.origin.route(
            "/large",
            .dynamic { _ in
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png)
            })
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/large") { $0.lowResolution = small("/small") })
        var seen: [String] = []
        for await event in task.events {
            switch event {
            case .preview(let image):
                seen.append("preview \(image.pixelSize.width)")
                #expect(image.isComplete)
                isOpen.withLock { $0 = true }
            case .progress: break
            case .finished(let end): seen.append("image \(try end.get().image.pixelSize.width)")
            }
        }
        #expect(seen == ["preview 24", "image 96"])
        #expect(loader.cachedImage(for: small("/small")) != nil)
        // From memory it is there at once.
        let hit = loader.task(for: bench.request("/never") { $0.lowResolution = small("/small") })
        bench.origin.route("/never", .never)
        for await event in hit.events {
            guard case .preview(let image) = event else { continue }
            #expect(image.pixelSize.width == 24)
            break
        }
        hit.cancel()
        await loader.waitUntilIdle()
    }

    @Test("R14, promise 1: a small form of the same picture is made of the same transfer")
    func sameURL() async throws {
        bench.origin.route("/a", .delayed(.milliseconds(200), then: .bytes(png)))
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a") { $0.lowResolution = small("/a") })
        let seen = await events(task)
        #expect(
            seen.last == "image 96" && seen.allSatisfy { ["preview 24", "image 96"].contains($0) })
        await loader.waitUntilIdle()
        #expect(bench.origin.requests(for: "/a").count == 1)
    }

    @Test("R14: if the small one fails nothing is said; if the large one fails that is the end")
    func failures() async throws {
        bench.origin.route("/large", .delayed(.milliseconds(150), then: .bytes(png)))
        let loader = bench.loader()
        var task = loader.task(
            for: bench.request("/large") { $0.lowResolution = small("/missing") })
        #expect(await events(task) == ["image 96"])
        try bench.serve("/small", "scene.png")
        bench.origin.route("/large", .delayed(.milliseconds(300), then: .status(404)))
        task = loader.task(
            for: bench.request("/large") {
                $0.cachePolicy = .reload
                $0.lowResolution = small("/small")
            })
        let seen = await events(task)
        #expect(seen.first == "preview 24" && seen.last?.contains("404") == true && seen.count == 2)
    }

    @Test("R14, promise 6: a small picture that comes too late is given up")
    func tooLate() async throws {
        bench.origin.route("/small", .never)
        try bench.serve("/large", "scene.png")
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/large") { $0.lowResolution = small("/small") })
        #expect(await events(task) == ["image 96"])
        await loader.waitUntilIdle()
        let origin = bench.origin
        try await eventually("Its transfer goes on.") { origin.openConnections <= 1 }
        #expect(loader.downloads == (0, 0))
    }
}
