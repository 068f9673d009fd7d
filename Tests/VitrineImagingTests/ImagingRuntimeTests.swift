import Foundation
import PixelSupport
import Testing
import VitrineImaging

@Suite struct ImagingRuntimeTests {
    /// What a program that uses libvips itself finds after this module has worked in it.
    private static func host(
        _ program: String = "imaging-host", _ file: String = "scene.svg", _ words: String...
    ) throws -> [String] {
        try HostProgram.run(program, [Fixture.folder.appending(path: file).path] + words)
    }

    @Test("D10: by default libvips is set up for many jobs, and unsafe loaders are shut")
    func standard() throws {
        #expect(
            try Self.host() == [
                "probed 96", "threads 1", "cache 0", "magick shut", "svg shut", "svg then open",
                "too late",
            ])
    }

    @Test("D10: a program that uses libvips itself keeps its settings")
    func leftAlone() throws {
        #expect(
            try Self.host("imaging-host", "scene.svg", "none") == [
                "probed 96", "threads 3", "cache 77", "magick open", "svg open", "svg then open",
                "too late",
            ])
    }

    @Test("D3: what is probed and decoded without libvips neither loads nor starts it")
    func notStarted() throws {
        #expect(
            try Self.host("thumbnail-host", "scene.jpg") == ["decodable", "not loaded", "in time"])
        #expect(
            try Self.host("thumbnail-host", "scene.gif") == ["decodable", "loaded", "too late"])
    }

    @Test("D10: what was asked for too late is refused")
    func late() throws {
        _ = try RasterImage(decoding: Fixture.data("scene.tiff"))
        #expect(throws: ImagingError.engineAlreadyStarted) {
            try ImagingRuntime.configure(ImagingRuntime())
        }
    }
}
