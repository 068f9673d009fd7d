import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct OrientationTests {
    @Test("D6: EXIF orientation is applied once", arguments: 1...8)
    func once(orientation: Int) throws {
        let data = try Fixture.data("orientation-\(orientation).jpg")
        let image = try RasterImage(decoding: data)
        #expect(image.info.orientation == orientation)
        #expect(image.info.pixelSize == Scene.size)
        expectPixels(
            image.posterFrame, equals: Scene.plain, within: 6, "orientation \(orientation)")

        // A file made of the result must not be turned again.
        let again = try RasterImage(decoding: image.encoded(as: .png))
        expectPixels(again.posterFrame, equals: image.posterFrame)
    }

    @Test(
        "D3, D6: all eight look alike at a target size",
        arguments: [
            TargetSize.fit(width: 48, height: 48), .fill(width: 20, height: 40), .maximum(33),
            .fill(width: 200, height: 100), .fill(width: 31, height: 17), .fit(width: 3, height: 3),
        ])
    func alike(target: TargetSize) throws {
        let options = DecodeOptions(targetSize: target)
        let upright = try RasterImage(
            decoding: Fixture.data("orientation-1.jpg"), options: options
        ).posterFrame
        for orientation in 2...8 {
            let image = try RasterImage(
                decoding: Fixture.data("orientation-\(orientation).jpg"), options: options)
            expectPixels(
                image.posterFrame, equals: upright, within: 14, "\(target) as \(orientation)")
        }
    }

    @Test(
        "D3, D6: whatever says how it is turned, EXIF data or the container or both, it is so once",
        arguments: [
            ("orientation-6.heic", 10), ("orientation-6.jxl", 8), ("orientation-6.webp", 0),
        ])
    func twiceSaid(name: String, tolerance: Int) throws {
        let data = try Fixture.data(name)
        #expect(data.firstRange(of: Data((name.hasSuffix("webp") ? "EXIF" : "Exif").utf8)) != nil)
        #expect(try ImageInfo(probing: data).pixelSize == Scene.size)
        let image = try RasterImage(decoding: data)
        #expect(image.info.pixelSize == Scene.size)
        expectPixels(image.posterFrame, equals: Scene.plain, within: tolerance, name)
        let upright = try RasterImage(decoding: Fixture.data("scene.png"))
        for target in [TargetSize.maximum(48), .fill(width: 20, height: 40)] {
            let plan = DecodeOptions(targetSize: target)
            let small = try RasterImage(decoding: data, options: plan)
            let expected = try RasterImage(
                decoding: Fixture.data("scene.png"), options: plan)
            #expect(small.pixelSize == expected.pixelSize, "\(target)")
            expectPixels(
                small.posterFrame, equals: expected.posterFrame, within: 40, "\(target) of \(name)")
        }
        // A file made of the result is not turned again.
        let again = try RasterImage(decoding: image.encoded(as: .webp))
        #expect(again.pixelSize == upright.pixelSize)
    }

    @Test("D6: TIFF has an orientation too") func tiff() throws {
        let image = try RasterImage(decoding: Fixture.data("orientation-6.tiff"))
        #expect(image.info.orientation == 6)
        expectPixels(image.posterFrame, equals: Scene.plain)
    }
}
