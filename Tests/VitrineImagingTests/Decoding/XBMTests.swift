import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct XBMTests {
    static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    static let black = Pixel(red: 0, green: 0, blue: 0)

    @Test(
        "D1, D6: of X11 and of X10: set bits are black, others transparent",
        arguments: [("scene.xbm", 96, 64), ("x10.xbm", 91, 61)])
    func scene(name: String, width: Int, height: Int) throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.info == (try ImageInfo(probing: data)))
        #expect(image.info.bitsPerSample == 1 && image.info.hasAlpha)
        let expected = PixelBuffer.drawn(PixelSize(width: width, height: height)) { x, y in
            Scene.quadrant(x, y) % 2 == 0 && !Scene.isMarker(x, y) ? Self.black : Self.clear
        }
        expectPixels(image.posterFrame, equals: expected, name)
    }

    @Test(
        "D1: as people write it",
        arguments: [
            "#define a_width 3\n#define a_height 2\nstatic char a_bits[] = { 0x05, 0x02 };",
            "#define width 3\n#define height 2\nstatic const unsigned char bits[]={5,2,};",
            "/* #define x_width 9 */ // one\n#define a_height 2\n#define a_width 3 /* three */\n"
                + "#define a_x_hot 1\nstatic char a_bits[] = { 005 /* 0 */, 0X2}",
            "\n\t#define a_b_width 0x3\r\n#define a_b_height 02\r\nchar x[2]={0xF5,0x0a}",
            "#define a_width 3\n#define a_height 2\nstatic unsigned short b[] = { 0xFFF5, 0x0002 };",
        ])
    func dialects(text: String) throws {
        let image = try RasterImage(decoding: Data(text.utf8)).posterFrame
        let rows = [[true, false, true], [false, true, false]]
        let expected = PixelBuffer.drawn(PixelSize(width: 3, height: 2)) { x, y in
            rows[y][x] ? Self.black : Self.clear
        }
        expectPixels(image, equals: expected, text)
    }

    @Test(
        "D1: what is wrong is told",
        arguments: [
            ("char a[] = {1};", "its size is not given"),
            ("#define a_height 1\nchar a[] = {1};", "its size is not given"),
            ("#define a_height 0\nchar a[] = {1};", "its size is not given"),
            ("#define a_height 99999999999\nchar a[] = {1};", "its size is not given"),
            ("#define a_height 2\nchar a[] = {1} ;", "rows are missing"),
            ("#define a_height 1\nchar a[] = {x1};", "a value is no number"),
            ("#define a_height 1\nchar a[] = {0x};", "a value is no number"),
            ("#define a_height 2\nchar a[] = {1 2};", "a comma is missing"),
        ])
    func corrupt(text: String, reason: String) {
        let head = reason.contains("size") && !text.contains("height") ? "" : "#define a_width 2\n"
        let start = text.contains("height 1\nchar a[] = {1}") ? "#define a_x_hot 2\n" : head
        let file = Data(((start.isEmpty ? "#define a_width 2\n" : start) + text).utf8)
        #expect(throws: ImagingError.corrupt(format: .xbm, reason: reason)) {
            try RasterImage(decoding: file)
        }
    }

    @Test("D1: a value that may go on is not taken for whole") func cut() throws {
        let text = "#define a_width 8\n#define a_height 1\nchar a[] = { 0x1f };"
        let whole = Data(text.utf8)
        let end = whole.count - 3
        #expect(throws: ImagingError.truncated(format: .xbm)) {
            try RasterImage(decoding: whole.prefix(end - 1))
        }
        #expect(throws: ImagingError.truncated(format: .xbm)) {
            try RasterImage(decoding: whole.prefix(end))
        }
        #expect(throws: Never.self) { try RasterImage(decoding: whole.prefix(end + 2)) }
    }

    @Test("D7: a size that the text cannot fill costs nothing") func bomb() {
        let text = "#define a_width 60000\n#define a_height 4000\nchar a[] = { 1, 2, 3 };"
        #expect(throws: ImagingError.truncated(format: .xbm)) {
            try RasterImage(decoding: Data(text.utf8))
        }
        let large = "#define a_width 60000\n#define a_height 60000\nchar a[] = { 1, 2, 3 };"
        #expect(
            throws: ImagingError.tooLarge(
                what: .sourcePixels, found: 3_600_000_000, limit: 268_435_456)
        ) { try ImageInfo(probing: Data(large.utf8)) }
    }

    @Test("D1: other C is no XBM") func other() {
        for text in ["#define LIMIT 16\nint x;", "#include <stdio.h>", "/* a_width 16 */"] {
            #expect(RasterFormat(sniffing: Data(text.utf8)) == nil, "\(text)")
        }
    }
}
