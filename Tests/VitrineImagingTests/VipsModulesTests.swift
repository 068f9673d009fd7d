import Foundation
import PixelSupport
import Testing

@testable import VitrineImaging

/// Which modules of libvips are opened, and when.
@Suite struct VipsModulesTests {
    /// What a program of its own prints that decodes these files.
    private static func host(_ mode: String, _ files: [String]) throws -> [String] {
        let paths = files.map { $0 == "avif" ? $0 : Fixture.folder.appending(path: $0).path }
        return try HostProgram.run("thumbnail-host", [mode] + paths)
    }

    /// Those that a libvips has which was built like that of Debian.
    private static let known = ["scene.heic": "vips-heif.so", "scene.jxl": "vips-jxl.so"]

    /// Whether this libvips has modules; other builds have all in one.
    private static let hasModules = hasModule("vips-heif.so")

    private static func hasModule(_ name: String) -> Bool {
        guard let folder = VipsModules.folder else { return false }
        return FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }

    @Test("D10: pictures whose loaders are in libvips itself bring no module")
    func none() throws {
        let files = [
            "scene.png", "scene.tiff", "scene.gif", "scene.webp", "scene.avif", "scene.jp2",
        ]
        let lines = try Self.host("modules", files)
        #expect(lines.dropLast() == files.map { "\($0) 96 " }[...])
    }

    @Test(
        "D10: a module is opened with the first picture that needs it, in any order",
        arguments: [
            ["scene.png", "scene.heic", "scene.jxl", "scene.png"],
            ["scene.jxl", "scene.heic", "scene.jxl"], ["scene.heic", "scene.jpg", "scene.heic"],
        ])
    func onDemand(_ files: [String]) throws {
        var expected: [String] = []
        var modules: Set<String> = []
        for file in files {
            if Self.hasModules, let module = Self.known[file] { modules.insert(module) }
            expected.append("\(file) 96 " + modules.sorted().joined(separator: " "))
        }
        #expect(try Self.host("modules", files).dropLast() == expected[...])
    }

    @Test("D13: what writes AVIF is opened too") func encoder() throws {
        let module = Self.hasModules ? "vips-heif.so" : ""
        #expect(try Self.host("modules", ["avif"]).first == "avif 16 \(module)")
    }

    @Test("D10: many threads at once open a module once") func atOnce() throws {
        let files = ["scene.heic", "scene.png", "scene.jxl", "scene.jp2", "scene.tiff"]
        #expect(try Self.host("at-once", files) == ["20 of 20"])
    }

    @Test("D10: a program that uses libvips itself gets all modules, and the same environment")
    func all() throws {
        let late = try Self.host("modules", ["scene.png"])
        let lines = try Self.host("all-modules", ["scene.png"])
        #expect(lines.first?.contains("vips-heif.so") == Self.hasModules)
        #expect(lines.last == late.last)
        #expect(lines.last?.hasPrefix("home /") == true)
    }

    @Test("D10: what comes late and is unsafe stays shut, and nothing else is shut by it")
    func blocked() throws {
        try VipsRuntime.start()
        guard Self.hasModule("vips-magick.so") else { return }
        #expect(VipsModules.open("vips-magick.so"))
        #expect(VipsModules.open("vips-magick.so"))
        #expect(VipsRuntime.has("magickload_buffer"))
        let gif = try Fixture.data("scene.gif")
        let message = gif.withUnsafeBytes { bytes in
            do throws(VipsFailure) {
                _ = try VipsPipeline.make("magickload_buffer", [("buffer", .bytes(bytes))])
                return "opened"
            } catch {
                return error.message
            }
        }
        #expect(message.contains("blocked"))
        for file in ["scene.heic", "scene.jxl", "scene.jp2", "scene.gif"] {
            #expect(try RasterImage(decoding: Fixture.data(file)).pixelSize.width == 96, "\(file)")
        }
    }

    @Test("D10: a module that is not there is no failure of its own") func missing() throws {
        try VipsRuntime.start()
        #expect(VipsModules.open("vips-nothing.so"))
        #expect(VipsModules.name(for: .png) == nil)
        #expect(!VipsModules.has(.png))
    }
}
