import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// A loader with a disk cache of its own, in front of an origin of its own; both end with it.
final class Workbench: Sendable {
    let origin: OriginServer
    let clock = ManualClock()
    let folder: String

    init() throws {
        origin = try OriginServer.start()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("vitrine-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path
    }

    deinit {
        origin.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A loader over the workbench's disk cache; each has a memory of its own.
    func loader(
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .directory(folder + "/cache")
        // What this machine is short of empties no memory that a test looks into.
        configuration.reactsToMemoryPressure = false
        configuration.timeouts = ImageRequest.Timeouts(
            connect: .seconds(5), idle: .seconds(5), total: .seconds(20))
        change(&configuration)
        return ImageLoader(configuration, time: clock.source, chance: { 1 })
    }

    /// A PNG of noise, which cannot be compressed: half a megabyte.
    static func largePicture() throws -> Data {
        var random = SeededRandom(seed: 11)
        let noise = (0..<400 * 400).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        let pixels = PixelBuffer.drawn(PixelSize(width: 400, height: 400)) { x, y in
            let word = noise[y * 400 + x]
            return Pixel(
                red: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
                blue: UInt8(truncatingIfNeeded: word >> 16), alpha: 255)
        }
        return try RasterImage(pixels).encoded(as: .png)
    }

    /// A request for a path of the origin.
    func request(
        _ path: String, _ change: (inout ImageRequest) -> Void = { _ in }
    ) -> ImageRequest {
        var request = ImageRequest(origin.url(path))
        change(&request)
        return request
    }

    /// Serves a fixture, with these headers.
    func serve(_ path: String, _ fixture: String, _ headers: OriginHeader...) throws {
        origin.route(
            path,
            .bytes([UInt8](try Fixture.data(fixture)), type: "image/x-whatever", headers: headers))
    }
}

/// Waits until something becomes true, and fails the test if it does not within 10 seconds.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @Sendable () async -> Bool
) async throws {
    for _ in 0..<2000 {
        if await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record(what, sourceLocation: sourceLocation)
}
