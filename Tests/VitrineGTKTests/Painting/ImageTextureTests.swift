import CGTK
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// Textures: whose pixels they are, and how long they live.
@Suite(.serialized) struct ImageTextureTests {
    private func picture(_ alpha: UInt8 = 255) -> PixelBuffer {
        .drawn(PixelSize(width: 8, height: 4)) { x, y in
            Pixel(red: UInt8(x * 30), green: UInt8(y * 60), blue: 90, alpha: alpha)
        }
    }

    /// What GTK has, as straight RGBA.
    private func downloaded(_ texture: ImageTexture) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: texture.size.width * texture.size.height * 4)
        gdk_texture_download(texture.pointer, &bytes, gsize(texture.size.width * 4))
        return bytes
    }

    @Test(
        "V7: an opaque picture's pixels are GTK's, without a copy, and live as long as the texture")
    func zeroCopy() throws {
        weak var pixels: PixelBuffer?
        var texture: ImageTexture?
        do {
            let buffer = picture()
            pixels = buffer
            texture = ImageTexture.shared(for: RasterImage(buffer))
            let bytes = try downloaded(#require(texture))
            for index in 0..<32 {
                let pixel = try #require(buffer[index % 8, index / 8])
                // Cairo's order: B, G, R, A.
                #expect(
                    Array(bytes[index * 4..<index * 4 + 4])
                        == [pixel.blue, pixel.green, pixel.red, 255])
            }
        }
        #expect(pixels != nil)
        // GTK may hold the texture longer than its owner.
        let held = try HeldObject(#require(texture).pointer)
        texture = nil
        #expect(pixels != nil)
        #expect(gdk_texture_get_width(held.pointer) == 8)
        withExtendedLifetime(held) {}
    }

    @Test("V7: nothing keeps pixels or texture once their last owner has gone")
    func released() throws {
        weak var pixels: PixelBuffer?
        weak var texture: ImageTexture?
        for alpha: UInt8 in [255, 100] {
            do {
                let buffer = picture(alpha)
                pixels = buffer
                let made = try #require(ImageTexture.shared(for: buffer))
                texture = made
                #expect(made.size == buffer.size)
            }
            #expect(pixels == nil)
            #expect(texture == nil)
        }
    }

    @Test("V7: a picture that is not opaque is given premultiplied")
    func premultiplied() throws {
        let buffer = picture(128)
        let texture = try #require(ImageTexture.shared(for: buffer))
        var expected = [UInt8](repeating: 0, count: 8 * 4 * 4)
        try expected.withUnsafeMutableBytes { try buffer.copyPremultiplied(into: $0) }
        let bytes = try downloaded(texture)
        for index in stride(from: 0, to: bytes.count, by: 4) {
            #expect(bytes[index] == expected[index + 2])
            #expect(bytes[index + 1] == expected[index + 1])
            #expect(bytes[index + 2] == expected[index])
            #expect(bytes[index + 3] == 128)
        }
    }

    @Test("V10: the same pixels have one texture, other ones another")
    func shared() throws {
        let image = RasterImage(picture())
        let copy = image
        let one = try #require(ImageTexture.shared(for: image))
        #expect(ImageTexture.shared(for: copy) === one)
        #expect(ImageTexture.existing(for: image.posterFrame) === one)
        #expect(ImageTexture.shared(for: RasterImage(picture())) !== one)
    }

    @Test("V10: many threads that ask at a time get one texture, and leave none behind")
    func concurrent() async throws {
        for round in 0..<30 {
            let image = RasterImage(picture(round % 2 == 0 ? 255 : 80))
            let textures = await withTaskGroup(of: ImageTexture?.self) { group in
                for _ in 0..<8 { group.addTask { ImageTexture.shared(for: image) } }
                return await group.reduce(into: [ImageTexture]()) { $0 += [$1].compactMap(\.self) }
            }
            #expect(textures.count == 8)
            #expect(Set(textures.map(ObjectIdentifier.init)).count == 1)
        }
    }

    @Test("V10: an address that is used again does not bring an old texture")
    func addresses() throws {
        for round in 0..<200 {
            let color = Pixel(
                red: UInt8(round), green: 0, blue: 0, alpha: round % 2 == 0 ? 255 : 254)
            let buffer = PixelBuffer.drawn(PixelSize(width: 1, height: 1)) { _, _ in color }
            let texture = try #require(ImageTexture.shared(for: buffer))
            #expect(abs(Int(try downloaded(texture)[2]) - round) <= 1)
        }
    }

    @Test("V10: what cairo is drawn from is made once, and goes with the texture")
    func cairoPixels() throws {
        weak var pixels: CairoPixels?
        for alpha: UInt8 in [255, 100] {
            do {
                let texture = try #require(ImageTexture.shared(for: picture(alpha)))
                // Of a picture with alpha GTK's texture is made of them.
                #expect((texture.cairoPixelsIfMade == nil) == (alpha == 255))
                pixels = texture.cairoPixels
                #expect(texture.cairoPixels === pixels && pixels != nil)
                #expect(texture.cairoPixelsIfMade === pixels)
            }
            #expect(pixels == nil)
        }
    }
}
