import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// Downloads that are cut off and gone on with, by a loader over its disk cache.
@Suite(.timeLimit(.minutes(2))) struct ResumingTests {
    private let bench: Workbench
    private let picture: [UInt8]

    init() throws {
        bench = try Workbench()
        picture = [UInt8](try Workbench.largePicture())
    }

    /// The first answer breaks off half-way, the others are whole or the rest.
    private func cutHalfway(
        _ path: String = "/a", by cut: Cut = .closing, _ headers: OriginHeader...
    ) {
        let (picture, headers) = (picture, headers + ["Cache-Control: max-age=600"])
        bench.origin.route(
            path,
            .sequence([
                .cut(
                    picture, sent: picture.count / 2, by: cut, headers: headers + ["ETag: \"1\""]),
                .ranged(picture, etag: "\"1\"", headers: headers),
            ]))
    }

    private func ranges(_ path: String = "/a") -> [String?] {
        bench.origin.requests(for: path).map { $0.header("Range") }
    }

    private var disk: DiskStore {
        DiskStore(DiskStore.Configuration(directory: bench.folder + "/cache"))
    }

    private func breakOff(
        _ loader: ImageLoader, _ path: String = "/a",
        _ change: (inout ImageRequest) -> Void = { _ in }
    ) async {
        await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request(path, change))
        }
    }

    @Test("R11: across launches, and progress counts what was there") func nextLaunch() async throws
    {
        cutHalfway()
        let half = picture.count / 2
        let first = bench.loader()
        await breakOff(first)
        await first.waitUntilIdle()
        #expect(try await first.diskStatistics()?.bodyBytes == half)

        let second = bench.loader()
        var progress: [ImageTask.Progress] = []
        let task = second.task(for: bench.request("/a"))
        for await event in task.events {
            if case .progress(let news) = event { progress.append(news) }
        }
        let response = try await task.response
        #expect(response.data == Data(picture) && response.source == .network)
        #expect(ranges() == [nil, "bytes=\(half)-"])
        #expect(progress.last?.received == picture.count)
        #expect(progress.last?.resumed == half && response.resumedBytes == half)
        #expect(progress.allSatisfy { $0.total == picture.count })
        // What was there is not there byte by byte: the first news count all of a chunk of it.
        #expect(response.http?.status == 200)
        #expect(response.http?.headers["content-length"] == "\(picture.count)")
        await second.waitUntilIdle()
        #expect(try await second.diskStatistics()?.entries == 1)
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .disk)
    }

    @Test("R11: when the last caller leaves, and comes back") func cancelled() async throws {
        cutHalfway(by: .stalling)
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a"))
        for await event in task.events {
            if case .progress(let news) = event, news.received == picture.count / 2 { break }
        }
        task.cancel()
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.bodyBytes == picture.count / 2)
        let response = try await loader.response(for: bench.request("/a"))
        #expect(response.data == Data(picture))
        #expect(ranges() == [nil, "bytes=\(picture.count / 2)-"])
    }

    @Test("R11: a reset, and a server that stops") func broken() async throws {
        for (path, cut) in [("/a", Cut.resetting), ("/b", .stalling)] {
            cutHalfway(path, by: cut)
            let loader = bench.loader()
            await breakOff(loader, path) {
                $0.timeouts = ImageRequest.Timeouts(idle: .milliseconds(500))
            }
            #expect(try await loader.image(for: bench.request(path)).isComplete)
            #expect(ranges(path) == [nil, "bytes=\(picture.count / 2)-"])
        }
    }

    @Test("R11: without a disk cache, in memory") func inMemory() async throws {
        cutHalfway()
        let loader = bench.loader { $0.diskCache = .none }
        await breakOff(loader)
        #expect(loader.originalsUsage > picture.count / 2)
        #expect(try await loader.image(for: bench.request("/a")).isComplete)
        #expect(ranges() == [nil, "bytes=\(picture.count / 2)-"])
    }

    @Test("R11: previews show what was there at once") func previews() async throws {
        let half = picture.count / 2
        let (whole, tail) = (picture, Array(picture[half...]))
        let headers: [OriginHeader] = [
            "ETag: \"1\"",
            OriginHeader("Content-Range", "bytes \(half)-\(whole.count - 1)/\(whole.count)"),
        ]
        bench.origin.route(
            "/a",
            .sequence([
                .cut(whole, sent: half, headers: headers),
                .cut(tail, sent: 0, by: .stalling, status: 206, headers: headers),
            ]))
        let loader = bench.loader()
        await breakOff(loader)
        let task = loader.task(
            for: bench.request("/a") { $0.previews = .progressive(interval: .milliseconds(1)) })
        var preview: RasterImage?
        for await event in task.events {
            if case .preview(let image) = event {
                preview = image
                break
            }
        }
        task.cancel()
        #expect(preview?.isComplete == false)
        #expect(preview?.posterFrame[0, 0]?.alpha == 255)
    }

    @Test("R11: what is no picture when it is whole is begun anew, once, and not kept")
    func mixedUp() async throws {
        // The tag is the same, and the bytes are not.
        let half = picture.count / 2
        let other = picture[..<half].map { ~$0 } + picture[half...]
        let headers: [OriginHeader] = ["ETag: \"1\"", "Cache-Control: max-age=600"]
        bench.origin.route(
            "/a",
            .sequence([
                .cut(other, sent: half, headers: headers),
                .ranged(picture, etag: "\"1\"", headers: headers),
            ]))
        let loader = bench.loader()
        await breakOff(loader)
        let response = try await loader.response(for: bench.request("/a"))
        #expect(response.data == Data(picture))
        #expect(ranges() == [nil, "bytes=\(half)-", nil])
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 1)
        #expect(try await loader.diskStatistics()?.bodyBytes == picture.count)
    }

    @Test("R11: a part that was damaged on disk is found, and the whole asked for")
    func damaged() async throws {
        cutHalfway()
        let first = bench.loader()
        await breakOff(first)
        await first.waitUntilIdle()
        let record = try #require(try await disk.records().first)
        let path = try #require(record.bodyPath)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 1000)
        try file.write(contentsOf: [1, 2, 3, 4, 5])
        try file.close()
        let response = try await bench.loader().response(for: bench.request("/a"))
        #expect(response.data == Data(picture))
        #expect(ranges() == [nil, "bytes=\(picture.count / 2)-", nil])
    }

    @Test("R11, C15: at most sixteen are kept, within the store's bound, and removal takes them")
    func bounds() async throws {
        let loader = bench.loader { $0.diskCapacity = 8_000_000 }
        for number in 0..<20 {
            cutHalfway("/\(number)")
            bench.clock.advance(by: .seconds(1))
            await breakOff(loader, "/\(number)")
        }
        await loader.waitUntilIdle()
        var statistics = try #require(try await loader.diskStatistics())
        #expect(statistics.entries <= 16 && statistics.countedBytes <= 4_100_000)
        #expect(statistics.bodyBytes == statistics.entries * (picture.count / 2))
        _ = try await loader.image(for: bench.request("/0"))
        _ = try await loader.image(for: bench.request("/19"))
        #expect(ranges("/0") == [nil, nil], "it was the oldest")
        #expect(ranges("/19") == [nil, "bytes=\(picture.count / 2)-"])
        await loader.waitUntilIdle()
        let before = try #require(try await loader.diskStatistics()).entries
        try await loader.removeFromCaches(bench.origin.url("/18"))
        statistics = try #require(try await loader.diskStatistics())
        #expect(statistics.entries == before - 1)
        _ = try await loader.image(for: bench.request("/18"))
        #expect(ranges("/18") == [nil, nil])
    }

    @Test("promise 29: what is kept holds no secret") func secrets() async throws {
        cutHalfway("/a", "Vary: Cookie")
        let loader = bench.loader()
        await breakOff(loader) {
            $0.headers = ["Authorization": "Bearer hunter2", "Cookie": "hunter2"]
        }
        await loader.waitUntilIdle()
        let records = try await disk.records()
        #expect(records.count == 1)
        for record in records {
            #expect(!record.key.contains("hunter2"))
            #expect(record.metadata.range(of: Data("hunter2".utf8)) == nil)
        }
    }

    @Test("R11: what is cut off takes nobody's place") func besideOthers() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=10", "ETag: \"0\"")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        bench.clock.advance(by: .seconds(20))
        bench.origin.forget()
        cutHalfway()
        await breakOff(loader)
        let old = try await loader.response(
            for: bench.request("/a") { $0.cachePolicy = .cacheOnly })
        #expect(old.image.pixelSize == PixelSize(width: 96, height: 64))
        let new = try await loader.response(for: bench.request("/a"))
        #expect(new.data == Data(picture))
        #expect(ranges() == [nil, "bytes=\(picture.count / 2)-"])
    }
}
