import FoundationEssentials
import VitrineImaging

/// Pictures in a folder, and room for others that are written there.
struct SoakFiles: Sendable {
    private let folder: URL
    private let count: UInt64 = 100

    init(folder: String) throws {
        self.folder = URL(filePath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let bytes = try SoakOrigin.picture.encoded(as: .png)
        for number in 0..<count { try bytes.write(to: url(number)) }
    }

    /// One of those that are there.
    func url(_ number: UInt64) -> URL { folder.appending(path: "\(number % count).png") }

    /// Writes a picture over one that was written before, if any was.
    func write(_ image: RasterImage, number: Int) {
        try? image.encoded(as: .jpeg).write(to: folder.appending(path: "written-\(number).jpg"))
    }
}
