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

    @Test("D6: TIFF has an orientation too") func tiff() throws {
        let image = try RasterImage(decoding: Fixture.data("orientation-6.tiff"))
        #expect(image.info.orientation == 6)
        expectPixels(image.posterFrame, equals: Scene.plain)
    }
}
