import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

/// Pictures of what things look like, compared with the committed ones.
///
/// `VITRINE_RENEW_GOLDEN=1 swift test --filter '[Gg]olden'` writes them anew; please look at them then.
@MainActor enum Golden {
    private static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        url.deleteLastPathComponent()
        return url.appending(path: "Golden")
    }()

    /// Expects it to look as the picture of that name does.
    static func compare(
        _ drawn: PixelBuffer, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appending(path: name + ".png")
        if ProcessInfo.processInfo.environment["VITRINE_RENEW_GOLDEN"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try RasterImage(drawn).encoded(as: .png).write(to: file)
        }
        // Versions of cairo round differently.
        let golden = try RasterImage(decoding: Data(contentsOf: file))
        expectPixels(
            drawn, equals: golden.posterFrame, within: 2, name, sourceLocation: sourceLocation)
    }

    /// Cells of one size side by side on a grey ground, with lines between.
    static func sheet(_ cells: [[PixelBuffer]]) -> PixelBuffer {
        let cell = cells.first?.first?.size ?? PixelSize(width: 1, height: 1)
        let (width, height) = (cell.width + 4, cell.height + 4)
        let size = PixelSize(width: (cells.first?.count ?? 0) * width, height: cells.count * height)
        return .drawn(size) { x, y in
            let ground: UInt8 = (x / 8 + y / 8) % 2 == 0 ? 150 : 170
            let back = Pixel(red: ground, green: ground, blue: ground)
            guard let top = cells[y / height][x / width][x % width - 2, y % height - 2] else {
                return Pixel(red: 40, green: 40, blue: 40)
            }
            let alpha = Int(top.alpha)
            func over(_ top: UInt8) -> UInt8 {
                UInt8((Int(top) * alpha + Int(ground) * (255 - alpha) + 127) / 255)
            }
            return alpha == 0
                ? back : Pixel(red: over(top.red), green: over(top.green), blue: over(top.blue))
        }
    }
}
