import Dispatch
import Foundation
import Testing
import VitrineBase
import VitrineTesting

private let mainMark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()

/// Whether the caller runs on the main queue, which may be served by other threads than the first.
private func isOnMain() -> Bool { DispatchQueue.getSpecific(key: mainMark) == true }

/// What users of AlamofireImage rely on; each test names its row, and what other tests have is left out.
@Suite(.timeLimit(.minutes(3))) struct AlamofireImageBehaviourTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    @Test("L1, A-28: 1,000 different URLs in parallel all arrive, four at a time")
    func manyInParallel() async throws {
        let urls = try shelf.pictures(1000)
        let gate = Gate()
        transport.answerOthers(with: .bytes(try TestPicture.solid()).held(by: gate))
        let loader = shelf.loader()
        let tasks = urls.map { loader.task(for: ImageRequest($0)) }
        await transport.waitForRequests(4)
        #expect(loader.downloads.active == 4)
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(transport.requests.count == 1000 && transport.mostActive == 4)
    }

    @Test("L3, A-32: of 1,000 callbacks the last four are cancelled, and each is called once")
    func manyWhileCancelling() async throws {
        let urls = try shelf.pictures(1000)
        let gate = Gate()
        transport.answerOthers(with: .bytes(try TestPicture.solid()).held(by: gate))
        let loader = shelf.loader()
        let (results, called) = AsyncStream.makeStream(of: Bool?.self)
        let tasks = urls.map { url in
            loader.load(ImageRequest(url), deliveringOn: .immediate) { result in
                switch result {
                case .success: called.yield(true)
                case .failure(let error): called.yield(error.isCancelled ? false : nil)
                }
            }
        }
        for task in tasks.suffix(4) { task.cancel() }
        gate.open()
        var all: [Bool?] = []
        for await result in results {
            all.append(result)
            if all.count == 1000 { break }
        }
        await loader.waitUntilIdle()
        called.finish()
        for await _ in results { Issue.record("more than one call") }
        #expect(all.count { $0 == true } == 996 && all.count { $0 == false } == 4)
        #expect(loader.downloads == (0, 0))
    }

    @Test(
        "L3, A-32: more than may run are cancelled and asked for again: the second ones all arrive")
    func cancelAndDownloadAgain() async throws {
        let urls = try shelf.pictures(5)
        transport.answerOthers(with: .status(200).held(by: Gate()))
        let loader = shelf.loader()
        let first = urls.map { loader.task(for: ImageRequest($0)) }
        await transport.waitForRequests(4)
        for task in first { task.cancel() }
        transport.answerOthers(with: .bytes(try TestPicture.solid()))
        let second = urls.map { loader.task(for: ImageRequest($0)) }
        for task in first {
            await #expect(throws: ImageError(.cancelled, url: task.request.url)) {
                try await task.response
            }
        }
        for task in second { _ = try await task.response }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
    }

    @Test("L1, A-29: loads that are cancelled while they wait let no more than four run")
    func cancelledWhileWaiting() async throws {
        let urls = try shelf.pictures(40)
        let gate = Gate()
        transport.answerOthers(with: .bytes(try TestPicture.solid()).held(by: gate))
        let loader = shelf.loader()
        let tasks = urls.map { loader.task(for: ImageRequest($0)) }
        await transport.waitForRequests(4)
        let sent = Set(transport.requests.map(\.url))
        let waiting = tasks.filter { !sent.contains($0.request.url) }
        for task in waiting.prefix(16) { task.cancel() }
        #expect(loader.downloads.active == 4)
        gate.open()
        for task in tasks where !waiting.prefix(16).contains(where: { $0 === task }) {
            _ = try await task.response
        }
        #expect(transport.requests.count == 24 && transport.mostActive == 4)
    }

    @Test("L12: completion and progress are on the main thread, whatever the end")
    @MainActor func mainThread() async throws {
        let urls = try shelf.pictures(2)
        transport.answer(
            urls[0],
            with: .bytes(try TestPicture.gradient(width: 300, height: 300)).chunked(by: 100))
        transport.answer(urls[1], with: .status(500))
        let loader = shelf.loader()
        let invalid = try #require(URL(string: "ftp://pictures.example/a.png"))
        var ends = 0
        for url in urls + [invalid] {
            await withCheckedContinuation { continuation in
                loader.load(ImageRequest(url)) { _ in
                    #expect(isOnMain())
                } completion: { _ in
                    #expect(isOnMain())
                    ends += 1
                    continuation.resume()
                }
            }
        }
        #expect(ends == 3)
    }

    @Test("F7, A-30: filters never run on the main thread, also of what is in memory")
    @MainActor func filtersOffMain() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let onMain = Lock([Bool]())
        #expect(isOnMain())
        for name in ["first", "second"] {
            _ = try await loader.image(
                from: url,
                filters: .custom(identifier: name) { frame, _ in
                    onMain.withLock { $0.append(isOnMain()) }
                    return frame
                })
        }
        #expect(onMain.withLock { $0 } == [false, false])
    }

    @Test("L2, A-30: of two callers' filters with one identifier only the first is run")
    func equalFiltersOnce() async throws {
        let url = try shelf.url("a")
        let gate = Gate()
        transport.answer(url, with: .bytes(try TestPicture.solid()).held(by: gate))
        let loader = shelf.loader()
        let runs = Lock([Int]())
        let tasks = (0..<2).map { number in
            let filter = CustomFilter(identifier: "same") { frame, _ in
                runs.withLock { $0.append(number) }
                return frame
            }
            return loader.task(for: ImageRequest(url, filters: [filter]))
        }
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(runs.withLock { $0 } == [0] && transport.requests.count == 1)
    }

    @Test("L4, A-36: who joins a load under way has its progress, too") func lateProgress()
        async throws
    {
        let url = try shelf.url("a")
        let gate = Gate()
        let png = try TestPicture.gradient(width: 400, height: 300)
        transport.answer(
            url, with: .bytes(png).chunked(by: png.count / 3 + 1).pausing(at: gate))
        let loader = shelf.loader()
        let first = loader.task(for: ImageRequest(url))
        await transport.waitForRequests()
        let second = loader.task(for: ImageRequest(url, filters: [.circle]))
        var received: [Int] = []
        for await event in second.events {
            guard case .progress(let progress) = event else { continue }
            received.append(progress.received)
            #expect(progress.total == png.count)
            gate.open()
        }
        #expect(received.first != nil && received == received.sorted())
        _ = try await first.image
    }

    @Test("promise 10, A-28: what is in memory is answered while the same URL is downloading")
    func memoryBeforeSharing() async throws {
        let url = try shelf.url("a")
        let gate = Gate()
        let picture = ScriptedAnswer.bytes(
            try TestPicture.solid(), headers: ["Cache-Control": "max-age=60"])
        transport.answer(url, with: picture, picture.held(by: gate))
        let loader = shelf.loader()
        let request = ImageRequest(url, filters: [.circle])
        _ = try await loader.image(for: request)
        var again = request
        again.cachePolicy = .reload
        let slow = loader.task(for: again)
        await transport.waitForRequests(2)
        #expect(loader.task(for: request).isFinished && !slow.isFinished)
        gate.open()
        _ = try await slow.image
    }

    @Test("R6, A-1…A-3: an error has the response's head where one came, and no other")
    func errors()
        async throws
    {
        let urls = try shelf.pictures(1)
        transport.answer(urls[0], with: .bytes(Data("<html>".utf8), headers: ["A": "b"]))
        let loader = shelf.loader()
        let bad = await error { _ = try await loader.image(from: urls[0]) }
        #expect(bad?.http?.status == 200 && bad?.http?.headers["a"] == "b")
        let invalid = ["ftp://a.example/x", "nowhere"].compactMap { URL(string: $0) }
        for url in invalid {
            // Two that cannot be asked for do not share an end.
            let none = await error { _ = try await loader.image(from: url) }
            #expect(none?.url == url && none?.http == nil && none?.isCancelled == false)
        }
    }

    private func error(_ work: () async throws -> Void) async -> ImageError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? ImageError
        }
    }

    @Test("R1, R2: random bytes, PDF, JSON and nothing at all, by bytes and by header")
    func noImages() throws {
        let url = try shelf.url("a")
        // A linear congruence, whose first bytes are those of no format.
        var state: UInt32 = 7
        var noise = Data(count: 4 << 20)
        noise.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes[index] = UInt8(state >> 24)
            }
        }
        let rows: [(body: Data, type: String, strict: Bool)] = [
            (noise, "application/octet-stream", true), (Data(), "image/png", true),
            (Data("%PDF-1.7".utf8), "application/pdf", false),
            (Data("{\"a\": 1}".utf8), "application/json", false),
        ]
        for row in rows {
            let head = ImageResponseSerializer.Head(
                url: url, status: 200, headers: ["Content-Type": row.type])
            for rule in [ContentTypeRule.bytesDecide, .headerMustMatch] {
                let serializer = ImageResponseSerializer(contentTypes: rule)
                do throws(ImageError) {
                    _ = try serializer.serialize(row.body, head)
                    Issue.record("\(row.type) is an image")
                } catch {
                    let isAboutType = error.reason == .contentType(row.type)
                    #expect(isAboutType == (rule.isStrict && !row.strict), "\(error)")
                }
            }
        }
    }

    @Test("C1, C3: without any cache everything else works") func noCaches() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader {
            $0.memoryCapacity = 0
            $0.originalsCapacity = 0
        }
        var request = ImageRequest(url, filters: [.circle])
        _ = try await loader.image(for: request)
        #expect(loader.imageCache.memoryUsage == 0 && loader.originalsUsage == 0)
        request.cachePolicy = .reload
        _ = try await loader.image(for: request)
        #expect(transport.requests.count == 2)
    }

    @Test("C9, A-41: when the completion is called the picture is in memory under its key")
    @MainActor func inMemoryByThen() async throws {
        let loader = shelf.loader()
        var request = ImageRequest(try shelf.pictures(1)[0], filters: [.circle])
        request.key = "avatar"
        let isThere = await withCheckedContinuation { continuation in
            loader.load(request) { _ in
                continuation.resume(returning: loader.cachedImage(for: request) != nil)
            }
        }
        #expect(isThere)
    }

    @Test("C1: a picture and its filtered form are two entries, of which each has its size")
    func variants() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let small = ImageRequest(url, filters: [.fill(width: 4, height: 4)])
        _ = try await loader.image(for: small)
        #expect(loader.cachedImage(for: small)?.pixelSize.width == 4)
        #expect(try await loader.image(from: url).pixelSize.width == 16)
        #expect(transport.requests.count == 1)
    }

    @Test("D2: hundreds of pictures are decoded at once") func concurrentDecodes()
        async throws
    {
        let jpeg = try twoColours(width: 300, height: 200).encoded(as: .jpeg)
        let sizes = await withTaskGroup(of: PixelSize?.self) { group in
            for _ in 0..<200 {
                group.addTask { try? await RasterImage.decoded(from: jpeg).pixelSize }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: PixelSize(width: 300, height: 200), count: 200))
    }

    @Test("F6, A-20: sizes are named exactly, so that close ones are two pictures")
    func exactIdentifiers() {
        let names = [
            FillFilter(width: 50.3333334, height: 60.879).identifier,
            FillFilter(width: 50.3, height: 61).identifier,
            RoundedCornersFilter(radius: 20.0123).identifier,
            RoundedCornersFilter(radius: 20).identifier,
        ]
        #expect(Set(names).count == 4)
    }
}
