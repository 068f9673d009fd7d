import Foundation
import VitrineTesting

/// A scripted transport with pictures on it, and a folder that goes with it.
final class Shelf: Sendable {
    let transport = ScriptedTransport()
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("vitrine-coming-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A URL of the place that it stands for.
    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "https://pictures.example/" + path) else {
            throw URLError(.badURL)
        }
        return url
    }

    /// URLs at which there are pictures for a minute.
    func pictures(_ count: Int, width: Int = 16, height: Int = 16) throws -> [URL] {
        transport.answerOthers(
            with: .bytes(
                try TestPicture.gradient(width: width, height: height),
                headers: ["Cache-Control": "max-age=60", "Content-Type": "image/png"]))
        return try (0..<count).map { try url("\($0).png") }
    }

    /// A loader that keeps nothing on disk, unless it is told otherwise.
    func loader(
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        .scripted(transport, change)
    }

    /// A loader with a disk cache in the folder.
    func diskLoader() -> ImageLoader {
        loader { $0.diskCache = .directory(folder) }
    }
}

/// Two colours, side by side.
func twoColours(width: Int = 200, height: Int = 100) throws -> RasterImage {
    try RasterImage(decoding: TestPicture.gradient(width: width, height: height))
}
