import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineImaging

/// The real program, under Xvfb, with a keyboard.
@Suite(.serialized) @MainActor final class ProgramTests {
    private let folder: URL
    private let origin: OriginServer

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "vitrine-gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        origin = try OriginServer.start()
    }

    deinit {
        origin.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private func run(_ words: String..., input: String = "") throws -> GalleryRun {
        try GalleryRun(words, in: folder, input: input)
    }

    /// A list of 600 pictures, of which the third fails.
    private func serve() throws -> String {
        let png = [UInt8](try Fixture.data("scene.png"))
        let headers = [OriginHeader("Cache-Control", "max-age=600")]
        origin.routeOthers(.bytes(png, headers: headers))
        origin.route("/3.png", .status(503))
        return (1...600).map { origin.address("/\($0).png") + "\n" }.joined()
    }

    @Test(
        "P5: 600 pictures; what failed is tried again by a key, and what is out of sight not asked for"
    )
    func grid() async throws {
        let gallery = try run("-", input: try serve())
        let failed = "Gallery (600 pictures, 1 failed)"
        #expect(try await gallery.title(whenItIs: failed) == failed)
        #expect(origin.requests(for: "/1.png").count == 1)
        // GTK makes rows for some screens ahead, which are prefetched; the end is far beyond them.
        #expect(origin.requests(for: "/600.png").isEmpty)
        // The button on the third tile.
        try await gallery.press("Right", "Right")
        try await Task.sleep(for: .milliseconds(500))
        let asked = origin.requests(for: "/3.png").count
        try await gallery.press("Tab", "space")
        for _ in 0..<200 where origin.requests(for: "/3.png").count == asked {
            try await Task.sleep(for: .milliseconds(50))
        }
        // Where the machine is busy, the loader has tried by itself once more by now.
        #expect(origin.requests(for: "/3.png").count > asked)
        // Until that answer has come too.
        try await Task.sleep(for: .milliseconds(500))
        let png = [UInt8](try Fixture.data("scene.png"))
        origin.route("/3.png", .bytes(png))
        try await gallery.press("F5")
        #expect(
            try await gallery.title(whenItIs: "Gallery (600 pictures)") == "Gallery (600 pictures)")
        try await gallery.press("ctrl+q")
        let end = try await gallery.end()
        #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }

    @Test("P5: by keyboard to one picture, to its neighbours, and back to where one was")
    func detail() async throws {
        let gallery = try run("-", input: try serve())
        let grid = "Gallery (600 pictures, 1 failed)"
        #expect(try await gallery.title(whenItIs: grid) == grid)
        try await gallery.press("Right", "Return")
        for (keys, title) in [
            ([], "2.png (2 of 600)"), (["Page_Down"], "3.png (3 of 600)"),
            (["Right"], "4.png (4 of 600)"), (["Left", "Left"], "2.png (2 of 600)"),
            (["End"], "600.png (600 of 600)"), (["Right"], "600.png (600 of 600)"),
            // Larger than the window after that: the arrow moves about in the picture.
            (
                ["1"] + Array(repeating: "plus", count: 14) + ["Left"],
                "600.png (600 of 600)"
            ),
            (["0", "Left"], "599.png (599 of 600)"),
            (["Escape"], grid), (["Return"], "599.png (599 of 600)"), (["Escape"], grid),
        ] {
            for key in keys { try await gallery.press(key) }
            #expect(try await gallery.title(whenItIs: title) == title, "\(keys)")
        }
        try await gallery.press("ctrl+w")
        let end = try await gallery.end()
        #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }

    @Test("P5: Retry of a picture by itself has the keyboard")
    func retry() async throws {
        origin.route("/a.png", .status(500))
        let gallery = try run("--show", "1", origin.address("/a.png"))
        #expect(try await gallery.title(whenItIs: "a.png (1 of 1)") == "a.png (1 of 1)")
        try await gallery.press("Escape")
        let failed = "Gallery (1 picture, 1 failed)"
        #expect(try await gallery.title(whenItIs: failed) == failed)
        try await gallery.press("Return")
        #expect(try await gallery.title(whenItIs: "a.png (1 of 1)") == "a.png (1 of 1)")
        // Until it has failed here, too.
        try await Task.sleep(for: .seconds(1))
        let asked = origin.requests(for: "/a.png").count
        origin.route("/a.png", .bytes([UInt8](try Fixture.data("scene.png"))))
        for _ in 0..<20 where origin.requests(for: "/a.png").count == asked {
            try await gallery.press("space")
            try await Task.sleep(for: .seconds(1))
        }
        #expect(origin.requests(for: "/a.png").count > asked)
        // Until the answer has come.
        try await Task.sleep(for: .seconds(1))
        try await gallery.press("Escape")
        #expect(try await gallery.title(whenItIs: "Gallery (1 picture)") == "Gallery (1 picture)")
        gallery.send(SIGTERM)
        #expect(try await gallery.end().signal == SIGTERM)
    }

    /// The picture that the program took of its window.
    private func screenshot(_ words: String..., scale: Int = 1) async throws -> PixelBuffer {
        let gallery = try GalleryRun(
            words + ["--screenshot", "shot.png"], in: folder, scale: scale)
        let end = try await gallery.end()
        #expect(end.status == 0 && end.errors == "", "\(end.errors)")
        let shot = try Data(contentsOf: folder.appending(path: "shot.png"))
        return try RasterImage(decoding: shot).posterFrame
    }

    private func share(of color: Pixel, in pixels: PixelBuffer) -> Double {
        var count = 0
        for y in 0..<pixels.size.height {
            for x in 0..<pixels.size.width where pixels[x, y] == color { count += 1 }
        }
        return Double(count) / Double(pixels.size.width * pixels.size.height)
    }

    /// A PNG of one colour.
    private func picture(_ color: Pixel, _ path: String) async throws {
        let channels = [color.red, color.green, color.blue, color.alpha]
        let size = PixelSize(width: 300, height: 300)
        let pixels = try PixelBuffer(size: size, isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = channels[index % 4] }
        }
        let image = RasterImage(pixels)
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try await image.data(as: .png).write(to: file)
    }

    @Test("P5: folders and files are seen in the grid and by themselves, light and dark")
    func pictures() async throws {
        let (red, blue) = (
            Pixel(red: 200, green: 30, blue: 40), Pixel(red: 20, green: 60, blue: 210)
        )
        try await picture(red, "folder/red.png")
        try await picture(blue, "blue.png")
        let grid = try await screenshot("folder", "blue.png", "--size", "800x600")
        // Two of at least 176 × 156, rounded, with a mark in a corner.
        for color in [red, blue] {
            #expect(
                (0.045...0.08).contains(share(of: color, in: grid)), "\(share(of: color, in: grid))"
            )
        }
        let single = try await screenshot(
            "folder", "blue.png", "--show", "2", "--size", "800x600", "--dark")
        #expect(share(of: red, in: single) == 0)
        #expect((0.15...0.2).contains(share(of: blue, in: single)))
        let corners = [grid, single].map { $0[5, $0.size.height - 5]?.red ?? 0 }
        #expect(corners[0] > 200 && corners[1] < 80)
    }

    @Test("P5: a screenshot has the size that was asked for, in the pixels of the screen")
    func sizes() async throws {
        let red = Pixel(red: 200, green: 30, blue: 40)
        try await picture(red, "red.png")
        for scale in [1, 2] {
            let shot = try await screenshot(
                "red.png", "--show", "1", "--size", "500x450", scale: scale)
            #expect(shot.size == PixelSize(width: 500 * scale, height: 450 * scale))
            // One pixel of the file is one logical pixel.
            let expected = 300.0 * 300 / (500 * 450)
            #expect(abs(share(of: red, in: shot) - expected) < 0.03 * expected)
        }
    }

    @Test("P5: without pictures the window says what can be done") func empty() async throws {
        let gallery = try run()
        #expect(try await gallery.title(whenItIs: "Gallery") == "Gallery")
        gallery.send(SIGINT)
        let end = try await gallery.end()
        #expect(end.signal == SIGINT && end.errors == "", "\(end.errors)")
        let pixels = try await screenshot("--size", "600x500")
        // The button to open some, in the colour of what is suggested.
        let accent = Pixel(red: 53, green: 132, blue: 228)
        let near = (0..<pixels.size.height).contains { y in
            (0..<pixels.size.width).contains { x in
                guard let pixel = pixels[x, y] else { return false }
                return abs(Int(pixel.blue) - Int(accent.blue)) < 24
                    && abs(Int(pixel.red) - Int(accent.red)) < 24
            }
        }
        #expect(near)
    }

    @Test("P5: an end while everything still loads is a clean end") func midLoad() async throws {
        origin.routeOthers(.never)
        let list = (1...50).map { origin.address("/\($0).png") + "\n" }.joined()
        for signal in [SIGTERM, SIGHUP] {
            let gallery = try run("-", input: list)
            let title = "Gallery (50 pictures)"
            #expect(try await gallery.title(whenItIs: title) == title)
            gallery.send(signal)
            let end = try await gallery.end()
            #expect(end.signal == signal && end.errors == "", "\(end.errors)")
        }
    }

    @Test("P5, promise 29: what cannot be done is said, with the status of its kind")
    func mistakes() async throws {
        for (words, status, message) in [
            (["--bogus"], 2, "There is no option --bogus; see vitrine-gallery --help."),
            (
                ["http://user:word@host:port/?token=hunter2"], 2,
                "\"http://…\" is not a valid URL."
            ),
            (["--show", "2", "a.png"], 2, "There is no picture 2 to show: there are 1."),
            (["--screenshot", "/proc/x.png"], 1, "/proc/x.png cannot be written."),
        ] {
            let end = try await GalleryRun(words, in: folder).end()
            #expect(end.status == Int32(status), "\(words)")
            #expect(end.errors == "vitrine-gallery: \(message)\n")
        }
        let noise = try await GalleryRun(
            ["-"], in: folder, hasDisplay: false, input: "\u{7}\u{8}"
        ).end()
        #expect(noise.status == 2)
        #expect(
            noise.errors == "vitrine-gallery: Standard input is no list of pictures: "
                + "line 1 has the byte 0x07 in it.\n")
        let end = try await GalleryRun(["a.png"], in: folder, hasDisplay: false).end()
        #expect(end.status == 1)
        #expect(end.errors.contains("There is no display on which a window could be shown."))
        for (word, text) in [("--help", "Usage: vitrine-gallery"), ("--version", "GTK 4.")] {
            let end = try await GalleryRun([word], in: folder, hasDisplay: false).end()
            #expect(end.status == 0 && end.errors == "")
            #expect(end.output.contains(text))
        }
    }
}
