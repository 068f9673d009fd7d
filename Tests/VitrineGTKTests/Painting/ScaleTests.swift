import DisplaySupport
import Foundation
import PixelSupport
import Testing
import VitrineImaging

/// Widgets on screens with two device pixels for each logical one.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct ScaleTests {
    init() throws { try TestDisplay.open() }

    /// Lines of one pixel: any other size than this one is grey.
    private static let lines = PixelBuffer.drawn(PixelSize(width: 96, height: 64)) { x, y in
        let isLine = x < 48 ? x % 2 == 0 : y % 2 == 0
        let isFrame = x < 2 || y < 2 || x >= 94 || y >= 62
        if isFrame { return Pixel(red: 200, green: 20, blue: 40) }
        return isLine ? Pixel(red: 0, green: 0, blue: 90) : Pixel(red: 255, green: 250, blue: 200)
    }

    @Test(
        "V11: at scale 2 each kind of widget shows each pixel of the picture as one of the screen's"
    )
    func golden() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "vitrine-scale-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "lines.png")
        let output = folder.appending(path: "drawn.png")
        try RasterImage(Self.lines).encoded(as: .png).write(to: source)
        let outcome = try await HostProgram.run(atScale: 2, "scaled", source.path, output.path)
        #expect(outcome.status == 0, "\(outcome.lines)")
        #expect(outcome.lines.last == "scale 2")
        // The second picture is cut off, by its decoder already.
        #expect(outcome.lines.dropLast().sorted() == ["64 × 64", "96 × 64", "96 × 64", "96 × 64"])
        let drawn = try RasterImage(decoding: Data(contentsOf: output)).posterFrame
        #expect(drawn.size == PixelSize(width: 392, height: 112))
        for (name, x, y) in [("picture", 8, 8), ("image", 184, 24), ("URLImage", 288, 8)] {
            for row in stride(from: 0, to: 64, by: 7) {
                for column in stride(from: 0, to: 96, by: 5) {
                    let expected = try #require(Self.lines[column, row])
                    expectPixel(drawn, at: x + column, y + row, equals: expected, within: 2, name)
                }
            }
        }
        try Golden.compare(drawn, "scale-2")
    }
}
