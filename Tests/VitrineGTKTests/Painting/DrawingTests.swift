import CGTK
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// What a paintable draws, pixel by pixel, without a widget.
@MainActor @Suite(.serialized) struct DrawingTests {
    private func pixels(
        _ paintable: ImagePaintable, _ width: Int = 40, _ height: Int = 40, scale: Int = 1
    ) throws -> PixelBuffer {
        try Rendering.pixels(
            of: paintable.pointer, width: width, height: height, scale: scale)
    }

    @Test("V16: nothing draws nothing")
    func empty() throws {
        let paintable = ImagePaintable()
        let drawn = try pixels(paintable)
        expectPixels(drawn, equals: Pictures.solid(Pictures.clear).posterFrame)
        #expect(gdk_paintable_get_intrinsic_width(paintable.pointer) == 0)
        #expect(gdk_paintable_get_intrinsic_aspect_ratio(paintable.pointer) == 0)
    }

    @Test("promise 20: an opaque picture and one with alpha come out as they are")
    func exactPixels() throws {
        let opaque = ImagePaintable.byHand(.image(Pictures.scene))
        expectPixels(try pixels(opaque, 96, 64), equals: Scene.plain, "opaque")
        let alpha = ImagePaintable.byHand(.image(Pictures.sceneWithAlpha))
        // Cairo keeps premultiplied colours, which are coarser.
        expectPixels(try pixels(alpha, 96, 64), equals: Scene.alpha, within: 1, "alpha")
    }

    @Test("V16: one pixel, one row and one column fill their area")
    func narrow() throws {
        for (width, height) in [(1, 1), (40, 1), (1, 40)] {
            let paintable = ImagePaintable.byHand(
                .image(Pictures.solid(Pictures.green, width, height)), fit: .fill)
            expectPixels(
                try pixels(paintable), equals: Pictures.solid(Pictures.green).posterFrame,
                "\(width) × \(height)")
        }
    }

    @Test("V11: at twice the scale each pixel of the picture is one of the screen")
    func scales() throws {
        let paintable = ImagePaintable.byHand(.image(Pictures.scene), fit: .none)
        paintable.scale = 2
        #expect(gdk_paintable_get_intrinsic_width(paintable.pointer) == 48)
        #expect(gdk_paintable_get_intrinsic_height(paintable.pointer) == 32)
        expectPixels(try pixels(paintable, 48, 32, scale: 2), equals: Scene.plain)
        // A picture that has a scale of its own needs none told.
        let own = ImagePaintable.byHand(
            .image(RasterImage(Scene.plain, scale: 2)), fit: .none)
        expectPixels(try pixels(own, 48, 32, scale: 2), equals: Scene.plain)
        for bad in [0, -1, Double.nan, .infinity] {
            own.scale = bad
            #expect(gdk_paintable_get_intrinsic_width(own.pointer) == 48)
        }
    }

    @Test("V16: each content fit covers its part of the area, and no more")
    func fits() throws {
        // Twice as wide as high, in a square.
        let picture = Pictures.solid(Pictures.red, 20, 10)
        let table: [(ContentFit, Range<Int>, Range<Int>)] = [
            (.fill, 0..<40, 0..<40), (.contain, 0..<40, 10..<30), (.cover, 0..<40, 0..<40),
            (.scaleDown, 10..<30, 15..<25), (.none, 10..<30, 15..<25),
        ]
        for (fit, columns, rows) in table {
            let drawn = try pixels(.byHand(.image(picture), fit: fit))
            let expected = PixelBuffer.drawn(PixelSize(width: 40, height: 40)) { x, y in
                columns.contains(x) && rows.contains(y) ? Pictures.red : Pictures.clear
            }
            expectPixels(drawn, equals: expected, "\(fit)")
        }
    }

    @Test("V16: what stands over is cut off, in the middle of the picture")
    func cut() throws {
        let colors = [Pictures.red, Pictures.blue, Pictures.green, Pictures.yellow]
        let picture = Pictures.quarters(colors, 80, 40)
        for fit in [ContentFit.cover, .none] {
            let paintable = ImagePaintable.byHand(.image(picture), fit: fit)
            expectPixels(
                try pixels(paintable), equals: Pictures.quarters(colors).posterFrame, "\(fit)")
        }
    }

    @Test("V2: an icon stands in its own size in the middle, a paintable lies as pictures do")
    func foreignPaintables() throws {
        let texture = try #require(ImageTexture.shared(for: Pictures.solid(Pictures.blue, 10, 10)))
        let icon = ImagePaintable.byHand(.icon(texture.pointer), fit: .cover)
        let expected = PixelBuffer.drawn(PixelSize(width: 40, height: 40)) { x, y in
            (15..<25).contains(x) && (15..<25).contains(y) ? Pictures.blue : Pictures.clear
        }
        expectPixels(try pixels(icon), equals: expected)
        let placeholder = ImagePaintable.byHand(.paintable(texture.pointer), fit: .cover)
        expectPixels(
            try pixels(placeholder), equals: Pictures.solid(Pictures.blue).posterFrame)
    }

    @Test("V2: a paintable within another one changes with it")
    func nested() throws {
        let inner = ImagePaintable.byHand()
        let outer = ImagePaintable.byHand(.paintable(inner.pointer))
        var changes = 0
        var sizes = 0
        let object: UnsafeMutablePointer<GObject> = outer.pointer.cast()
        connect(object, "invalidate-contents") { _ in changes += 1 }
        connect(object, "invalidate-size") { _ in sizes += 1 }
        inner.show(.image(Pictures.solid(Pictures.red)))
        #expect(changes > 0)
        #expect(sizes == 1)
        #expect(gdk_paintable_get_intrinsic_width(outer.pointer) == 40)
        expectPixels(try pixels(outer), equals: Pictures.solid(Pictures.red).posterFrame)
        outer.show(.empty)
        changes = 0
        inner.show(.empty)
        #expect(changes == 0)
    }

    @Test("V2: a paintable that shows itself ends")
    func itself() throws {
        let paintable = ImagePaintable.byHand()
        paintable.show(.paintable(paintable.pointer))
        expectPixels(try pixels(paintable), equals: Pictures.solid(Pictures.clear).posterFrame)
        paintable.show(.empty)
    }

    @Test("V16: its picture of the moment is as large as itself and does not change")
    func currentImage() throws {
        let paintable = ImagePaintable.byHand(.image(Pictures.scene))
        let image = try #require(gdk_paintable_get_current_image(paintable.pointer))
        let held = HeldObject(adopting: image)
        paintable.show(.empty)
        #expect(gdk_paintable_get_intrinsic_width(held.pointer) == 96)
        expectPixels(
            try Rendering.pixels(of: held.pointer, width: 96, height: 64), equals: Scene.plain)
    }

    @Test("V16: from cairo's own pixels the same comes out as from textures", arguments: [1, 2])
    func cairo(scale: Int) throws {
        for image in [
            Pictures.scene, Pictures.sceneWithAlpha, Pictures.solid(Pictures.green, 1, 1),
        ] {
            for fit in ContentFit.allCases {
                let drawn = try [false, true].map { usesCairo in
                    try pixels(
                        .byHand(.image(image), fit: fit, usesCairo: usesCairo), 50, 33, scale: scale
                    )
                }
                expectPixels(drawn[1], equals: drawn[0], within: 2, "\(fit)")
            }
        }
        for (name, transition) in TransitionSheet.transitions {
            let drawn = try [false, true].map { usesCairo in
                let paintable = ImagePaintable.byHand(
                    .image(Pictures.scene), usesCairo: usesCairo)
                paintable.show(.image(Pictures.sceneWithAlpha), transition, stoppedAt: 0.4)
                return try pixels(paintable, 96, 64, scale: scale)
            }
            // Between pixels the two do not sample at exactly the same place, above all in what a zoom
            // makes smaller.
            let bound = name == "zoom" ? 2 : 0.5
            #expect(meanDifference(drawn[0], drawn[1]) < bound, "\(name)")
        }
    }

    private func meanDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
        let sum = one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            }
        }
        return Double(sum) / Double(one.byteCount)
    }
}
