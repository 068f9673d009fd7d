import CGTK
import PixelSupport
import Testing
import VitrineBase
import VitrineImaging

@testable import VitrineGTK

/// Transitions at their start, middle and end.
@MainActor @Suite(.serialized) struct TransitionTests {
    private let one = Pictures.quarters(
        [Pictures.red, Pictures.blue, Pictures.green, Pictures.yellow])
    private let other = Pictures.solid(Pixel(red: 10, green: 230, blue: 240))

    private func pixels(_ paintable: ImagePaintable) throws -> PixelBuffer {
        try Rendering.pixels(of: paintable.pointer, width: 40, height: 40)
    }

    /// The transition from one picture to the other, so far.
    private func drawn(_ transition: ImageTransition, at progress: Double) throws -> PixelBuffer {
        let paintable = ImagePaintable.byHand(.image(one))
        paintable.show(.image(other), transition, stoppedAt: progress)
        return try pixels(paintable)
    }

    @Test("V3: every transition begins with the old picture and ends with the new one")
    func ends() throws {
        for (name, transition) in TransitionSheet.transitions {
            expectPixels(
                try drawn(transition, at: 0), equals: one.posterFrame, within: 1, "\(name) begins")
            expectPixels(try drawn(transition, at: 1), equals: other.posterFrame, "\(name) ends")
            expectPixels(try drawn(transition, at: 7), equals: other.posterFrame, "\(name) is over")
        }
    }

    @Test("V3: in the middle of a cross-dissolve each is half there")
    func crossDissolve() throws {
        let middle = try drawn(.crossDissolve(.seconds(1)), at: 0.5)
        expectPixel(
            middle, at: 5, 5, equals: Pixel(red: 105, green: 125, blue: 140), within: 1)
        expectPixel(
            middle, at: 35, 5, equals: Pixel(red: 20, green: 145, blue: 230), within: 1)
    }

    @Test("V3: to and from nothing a cross-dissolve fades")
    func fading() throws {
        for (from, to) in [
            (ImageContent.empty, ImageContent.image(other)), (.image(other), .empty),
        ] {
            let paintable = ImagePaintable.byHand(from)
            paintable.show(to, .crossDissolve(.seconds(1)), stoppedAt: 0.5)
            expectPixel(
                try pixels(paintable), at: 20, 20,
                equals: Pixel(red: 10, green: 230, blue: 240, alpha: 128), within: 2)
        }
    }

    @Test("V3: in the middle of a slide the new picture has half of the area, from its edge")
    func slide() throws {
        let new = Pixel(red: 10, green: 230, blue: 240)
        // Top left, top right, bottom left, bottom right.
        let table: [(ImageTransition.Edge, [Pixel])] = [
            (.left, [new, Pictures.red, new, Pictures.green]),
            (.right, [Pictures.blue, new, Pictures.yellow, new]),
            (.top, [new, new, Pictures.red, Pictures.blue]),
            (.bottom, [Pictures.green, Pictures.yellow, new, new]),
        ]
        for (edge, colors) in table {
            expectPixels(
                try drawn(.slide(from: edge, .seconds(1)), at: 0.5),
                equals: Pictures.quarters(colors).posterFrame, "\(edge)")
        }
    }

    @Test("V3: a flip shows the old picture, then its edge, then the new one")
    func flip() throws {
        for edge in ImageTransition.Edge.allCases {
            let before = try drawn(.flip(from: edge, .seconds(1)), at: 0.3)
            let middle = try drawn(.flip(from: edge, .seconds(1)), at: 0.5)
            let after = try drawn(.flip(from: edge, .seconds(1)), at: 0.7)
            expectPixel(before, at: 18, 18, equals: Pictures.red, "\(edge)")
            expectPixel(before, at: 21, 21, equals: Pictures.yellow, "\(edge)")
            expectPixels(middle, equals: Pictures.solid(Pictures.clear).posterFrame, "\(edge)")
            expectPixel(after, at: 20, 20, equals: Pixel(red: 10, green: 230, blue: 240), "\(edge)")
            // Narrower than the area, on both sides of the axis.
            let isUpright = edge == .left || edge == .right
            for corner in isUpright ? [(0, 20), (39, 20)] : [(20, 0), (20, 39)] {
                expectPixel(before, at: corner.0, corner.1, equals: Pictures.clear, "\(edge)")
            }
        }
        let left = try drawn(.flip(from: .left, .seconds(1)), at: 0.3)
        let right = try drawn(.flip(from: .right, .seconds(1)), at: 0.3)
        #expect(left.withUnsafeBytes { one in right.withUnsafeBytes { !one.elementsEqual($0) } })
    }

    @Test("V3: a zoom grows from the middle over the old picture")
    func zoom() throws {
        let middle = try drawn(.zoom(.seconds(1)), at: 0.5)
        expectPixel(middle, at: 2, 2, equals: Pictures.red)
        expectPixel(
            middle, at: 15, 15, equals: Pixel(red: 105, green: 125, blue: 140), within: 1)
    }

    @Test("V3: what a zoom does not cover fades towards its end, and what it covers stays opaque")
    func zoomUncovered() throws {
        let transition = ImageTransition.zoom(.seconds(1))
        var last = 255
        for step in 0...50 {
            let paintable = ImagePaintable.byHand(.image(one))
            // Half as high as the area when it is there.
            let flat = Pictures.solid(Pixel(red: 10, green: 230, blue: 240), 40, 20)
            paintable.show(.image(flat), transition, stoppedAt: Double(step) / 50)
            let drawn = try pixels(paintable)
            let alpha = Int(drawn[20, 4]?.alpha ?? 0)
            #expect(alpha <= last && last - alpha < 25, "no jump at step \(step): \(alpha)")
            #expect(step < 20 ? alpha == 255 : true, "at step \(step)")
            last = alpha
            #expect((drawn[20, 20]?.alpha ?? 0) >= 254, "at step \(step)")
        }
        #expect(last == 0)
    }

    @Test("V3: a custom transition draws what it likes, within its area and its call")
    func custom() throws {
        nonisolated(unsafe) var kept: TransitionDrawing?
        let transition = ImageTransition.custom(.seconds(1)) { drawing in
            kept = drawing
            #expect(drawing.size == PointSize(width: 40, height: 40))
            #expect(drawing.linearProgress == 0.5)
            #expect(!drawing.isEmpty(.old) && !drawing.isEmpty(.new))
            drawing.draw(.old, x: -5)
            drawing.draw(.new, scaleX: .nan)
            drawing.draw(.new, x: .infinity)
            drawing.draw(.new, scaleX: 0)
            drawing.draw(.new, opacity: -3)
            drawing.draw(
                .new, opacity: 9, clip: ContentFit.Rectangle(x: 0, y: 0, width: 10, height: 40))
        }
        let drawn = try drawn(transition, at: 0.5)
        expectPixel(drawn, at: 5, 5, equals: Pixel(red: 10, green: 230, blue: 240))
        expectPixel(drawn, at: 12, 5, equals: Pictures.red)
        expectPixel(drawn, at: 17, 5, equals: Pictures.blue)
        expectPixel(drawn, at: 37, 5, equals: Pictures.clear)
        // Long after, it draws nothing and breaks nothing.
        kept?.draw(.new)
        kept?.crossFade()
    }

    @Test("V3: a content that comes during a transition starts from what is seen")
    func interrupted() throws {
        let paintable = ImagePaintable.byHand(.image(one))
        paintable.show(.image(other), .crossDissolve(.seconds(1)), stoppedAt: 0.5)
        let before = try pixels(paintable)
        paintable.show(.image(Pictures.scene), .crossDissolve(.seconds(1)), stoppedAt: 0)
        expectPixels(try pixels(paintable), equals: before, within: 1)
        // Any number of them hold no more than the last few.
        for _ in 0..<50 {
            paintable.show(.image(one), .slide(from: .left, .seconds(1)), stoppedAt: 0.5)
        }
        #expect(try pixels(paintable)[5, 5]?.alpha == 255)
        paintable.core.advance(to: 5_000_000_000)
        expectPixels(try pixels(paintable), equals: one.posterFrame)
    }

    @Test("D5: a picture takes the place of its preview at once, in the same layout")
    func previews() throws {
        let paintable = ImagePaintable.byHand()
        let size = PointSize(width: 40, height: 40)
        paintable.show(.preview(Pictures.solid(Pictures.red, 10, 10), size: size))
        #expect(gdk_paintable_get_intrinsic_width(paintable.pointer) == 40)
        var sizes = 0
        let object: UnsafeMutablePointer<GObject> = paintable.pointer.cast()
        connect(object, "invalidate-size") { _ in sizes += 1 }
        for content in [
            ImageContent.preview(Pictures.solid(Pictures.green, 20, 20), size: size), .image(other),
        ] {
            paintable.show(content, transition: .crossDissolve(.seconds(1)))
            #expect(!paintable.core.isTransitioning)
        }
        expectPixels(try pixels(paintable), equals: other.posterFrame)
        #expect(sizes == 0)
        // A placeholder does not: what follows it is another thing.
        paintable.show(.preview(other))
        paintable.show(.empty, transition: .crossDissolve(.seconds(1)))
        #expect(paintable.core.isTransitioning)
    }

    @Test("V3: without a widget that is seen there is no transition")
    func unseen() throws {
        let paintable = ImagePaintable()
        paintable.show(.image(one))
        paintable.show(.image(other), transition: .crossDissolve())
        #expect(!paintable.core.isTransitioning)
        expectPixels(try pixels(paintable), equals: other.posterFrame)
    }

    @Test("V3: progress is within 0 and 1, whatever the time and the duration")
    func progress() {
        let transition = ImageTransition.zoom(.milliseconds(200))
        let table: [(Duration, Double)] = [
            (.zero, 0), (.milliseconds(50), 0.25), (.milliseconds(200), 1), (.seconds(1e9), 1),
            (.seconds(-1), 0),
        ]
        for (elapsed, progress) in table {
            #expect(transition.progress(after: elapsed) == progress)
        }
        for duration in [Duration.zero, .seconds(-1)] {
            #expect(ImageTransition.zoom(duration).isNone)
            #expect(ImageTransition.zoom(duration).progress(after: .zero) == 1)
        }
        #expect(ImageTransition.none.isNone)
        #expect(!ImageTransition.crossDissolve().isNone)
        let eased = [-1, 0, 0.25, 0.5, 0.75, 1, 2, .nan].map(ImageTransition.eased)
        #expect(eased == [0, 0, 0.15625, 0.5, 0.84375, 1, 1, 0])
    }
}
