import CGTK
import DeterminismSupport
import DisplaySupport
import PixelSupport
import Testing
import VitrineBase
import VitrineImaging

@testable import VitrineGTK

/// Paintables in widgets that are shown: time, sharing, and who keeps whom alive.
@MainActor @Suite(.serialized) struct PaintableWidgetTests {
    init() throws { try TestDisplay.open() }

    private static let colors = [Pictures.red, Pictures.green, Pictures.blue, Pictures.yellow]

    /// Four frames of 100 ms.
    private func animation(loopCount: Int? = nil, alpha: UInt8 = 255) throws -> RasterImage {
        try RasterImage(
            frames: Self.colors.map { color in
                var color = color
                color.alpha = alpha
                return Pictures.solid(color, 256, 256).posterFrame
            },
            durations: Array(repeating: .milliseconds(100), count: 4), loopCount: loopCount)
    }

    private func picture(
        of paintable: ImagePaintable
    ) throws -> UnsafeMutablePointer<GtkWidget> {
        let picture = try #require(gtk_picture_new_for_paintable(paintable.pointer))
        gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_FILL)
        paintable.attach(to: picture)
        return picture
    }

    private func close(_ window: UnsafeMutablePointer<GtkWindow>) { gtk_window_destroy(window) }

    @Test("V10: an animation follows the clock, and stands still when its widget is hidden")
    func playsAndPauses() async throws {
        let clock = ManualClock()
        let paintable = ImagePaintable()
        paintable.time = clock.source
        paintable.show(.image(try animation()))
        let widget = try picture(of: paintable)
        let window = try #require(await present(widget, width: 256, height: 256))
        defer { close(window) }
        #expect(paintable.isMoving)
        #expect(paintable.frameIndex == 0)
        // Ticks come; the time does not.
        try await settle()
        #expect(paintable.frameIndex == 0)
        clock.advance(by: .milliseconds(150))
        #expect(await pump { paintable.frameIndex == 1 })
        // Two frames are left out rather than late.
        clock.advance(by: .milliseconds(200))
        #expect(await pump { paintable.frameIndex == 3 })

        gtk_widget_set_visible(widget, 0)
        #expect(!paintable.isMoving)
        clock.advance(by: .milliseconds(1000))
        try await settle()
        #expect(paintable.frameIndex == 3)
        gtk_widget_set_visible(widget, 1)
        #expect(await pump { paintable.isMoving })
        // It goes on where it stood.
        try await settle()
        #expect(paintable.frameIndex == 3)
        clock.advance(by: .milliseconds(60))
        #expect(await pump { paintable.frameIndex == 0 })

        paintable.isPaused = true
        #expect(!paintable.isMoving)
        paintable.isPaused = false
        #expect(paintable.isMoving)
    }

    /// Some frames' worth of GTK's loop.
    private func settle() async throws {
        for _ in 0..<60 {
            while g_main_context_iteration(nil, 0) != 0 {}
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test("V10: an animation ends after its rounds, and then no frame is asked for")
    func ends() async throws {
        let clock = ManualClock()
        let paintable = ImagePaintable()
        paintable.time = clock.source
        paintable.show(.image(try animation(loopCount: 1)))
        let window = try #require(await present(picture(of: paintable), width: 256, height: 256))
        defer { close(window) }
        try await settle()
        clock.advance(by: .seconds(5))
        #expect(await pump { paintable.frameIndex == 3 && !paintable.isMoving })
        // Shown anew it begins anew.
        paintable.show(paintable.content)
        #expect(paintable.frameIndex == 0)
        #expect(paintable.isMoving)
    }

    @Test("V10: it is drawn anew only when its frame changes")
    func draws() async throws {
        let clock = ManualClock()
        let paintable = ImagePaintable()
        paintable.time = clock.source
        paintable.show(.image(try animation()))
        let window = try #require(await present(picture(of: paintable), width: 256, height: 256))
        defer { close(window) }
        try await settle()
        var changes = 0
        connect(paintable.pointer.cast(to: GObject.self), "invalidate-contents") { _ in
            changes += 1
        }
        try await settle()
        #expect(changes == 0)
        clock.advance(by: .milliseconds(110))
        #expect(await pump { paintable.frameIndex == 1 })
        try await settle()
        #expect(changes == 1)
    }

    @Test("V10: two widgets show the same frame of an animation, with one texture")
    func shares() async throws {
        let clock = ManualClock()
        let image = try animation(alpha: 128)
        let paintables = (0..<2).map { _ in ImagePaintable() }
        let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        for paintable in paintables {
            paintable.time = clock.source
            paintable.show(.image(image))
            gtk_box_append(box.cast(), try picture(of: paintable))
        }
        let window = try #require(await present(box, width: 512, height: 256))
        defer { close(window) }
        try await settle()
        clock.advance(by: .milliseconds(110))
        #expect(await pump { paintables.allSatisfy { $0.frameIndex == 1 } })
        #expect(paintables[0].texture != nil)
        #expect(paintables[0].texture === paintables[1].texture)
        // One of them hidden does not stop the other.
        paintables[0].detach(from: try #require(gtk_widget_get_first_child(box)))
        #expect(!paintables[0].isMoving && paintables[1].isMoving)
        clock.advance(by: .milliseconds(100))
        #expect(await pump { paintables[1].frameIndex == 2 })
    }

    @Test("V3: a transition runs on the widget's clock and ends; a hidden one ends at once")
    func transitions() async throws {
        let clock = ManualClock()
        let paintable = ImagePaintable()
        paintable.time = clock.source
        paintable.show(.image(Pictures.scene))
        let widget = try picture(of: paintable)
        let window = try #require(await present(widget, width: 256, height: 256))
        defer { close(window) }
        #expect(!paintable.isMoving)
        paintable.show(.image(Pictures.landscape), transition: .crossDissolve(.milliseconds(200)))
        #expect(paintable.isMoving)
        try await settle()
        clock.advance(by: .milliseconds(100))
        try await settle()
        #expect(paintable.isMoving)
        clock.advance(by: .milliseconds(101))
        #expect(await pump { !paintable.isMoving })

        paintable.show(.image(Pictures.scene), transition: .zoom())
        #expect(paintable.isMoving)
        gtk_widget_set_visible(widget, 0)
        #expect(!paintable.isMoving)
    }

    @Test("V3: with reduced motion nothing moves, from the moment it is set")
    func reducedMotion() async throws {
        let paintable = ImagePaintable()
        paintable.show(.image(try animation()))
        let window = try #require(await present(picture(of: paintable), width: 256, height: 256))
        defer { close(window) }
        #expect(paintable.isMoving)
        setMotion(false)
        defer { setMotion(true) }
        #expect(!paintable.isMoving)
        paintable.show(.image(Pictures.scene), transition: .crossDissolve())
        #expect(!paintable.isMoving)
        paintable.show(.image(try animation()))
        #expect(!paintable.isMoving)
        setMotion(true)
        #expect(paintable.isMoving)
    }

    private func setMotion(_ allowed: Bool) {
        var value = cgtk_value()
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, allowed ? 1 : 0)
        if let settings = gtk_settings_get_default() {
            g_object_set_property(settings.cast(), "gtk-enable-animations", &value)
        }
        g_value_unset(&value)
    }

    @Test(
        "V10: a large picture with alpha is prepared elsewhere, and shows then; a small one at once"
    )
    func preparation() async throws {
        let small = Pictures.solid(Pixel(red: 9, green: 9, blue: 9, alpha: 9), 64, 64)
        let large = Pictures.solid(Pixel(red: 9, green: 9, blue: 9, alpha: 9), 1200, 1000)
        let paintable = ImagePaintable()
        paintable.show(.image(small))
        let first = try #require(paintable.texture)
        paintable.show(.image(large))
        // The old one stays meanwhile, and the layout is the new one's.
        #expect(paintable.texture === first)
        #expect(gdk_paintable_get_intrinsic_width(paintable.pointer) == 1200)
        #expect(await pump { paintable.texture?.size == large.pixelSize })
        // What is outdated by then shows nothing any more.
        let another = Pictures.solid(Pixel(red: 9, green: 9, blue: 9, alpha: 9), 1201, 1000)
        paintable.show(.image(another))
        paintable.show(.image(small))
        try await settle()
        #expect(paintable.texture === first)
        // What has a texture needs no preparation.
        paintable.show(.image(large))
        let texture = try #require(ImageTexture.shared(for: large))
        paintable.show(.image(small))
        paintable.show(.image(large))
        #expect(paintable.texture === texture)
    }

    @Test("V16: a fixed size and a ratio hold before and after the picture has arrived")
    func layouts() async throws {
        // Into 16 × 16 GTK fits what has no size.
        for (layout, width, height) in [
            (ImageLayout.fixed(PointSize(width: 120, height: 80)), 120, 80),
            (.aspectRatio(2), 16, 8), (.none, 16, 16),
        ] {
            let paintable = ImagePaintable()
            paintable.layout = layout
            let widget = try picture(of: paintable)
            // Each child gets the least size for which it asks: that of the picture, if it must not shrink.
            gtk_picture_set_can_shrink(widget.opaque, 0)
            let container = try #require(gtk_fixed_new())
            gtk_fixed_put(container.cast(), widget, 0, 0)
            let window = try #require(await present(container, width: 256, height: 256))
            defer { close(window) }
            for content in [ImageContent.empty, .image(Pictures.scene), .image(Pictures.landscape)]
            {
                paintable.show(content)
                try await settle()
                #expect(
                    (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
                        == (gint(width), gint(height)), "\(layout)")
            }
        }
    }

    @Test("V16: a ratio makes the height that fits the width")
    func aspectRatio() async throws {
        let paintable = ImagePaintable()
        paintable.layout = .aspectRatio(2)
        let widget = try picture(of: paintable)
        let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        gtk_box_append(box.cast(), widget)
        let window = try #require(await present(box, width: 256, height: 300))
        defer { close(window) }
        for content in [ImageContent.empty, .image(Pictures.scene)] {
            paintable.show(content)
            try await settle()
            #expect((gtk_widget_get_width(widget), gtk_widget_get_height(widget)) == (256, 128))
        }
    }

    @Test("V10: GTK may hold a paintable longer than Swift, and Swift longer than GTK")
    func lifetimes() async throws {
        weak var core: PaintableCore?
        do {
            let paintable = ImagePaintable()
            core = paintable.core
            paintable.show(.image(try animation()))
            let window = try #require(
                await present(picture(of: paintable), width: 256, height: 256))
            close(window)
            try await settle()
            // Swift holds it: it still draws.
            let drawn = try Rendering.pixels(of: paintable.pointer, width: 10, height: 10)
            #expect(drawn[5, 5]?.alpha == 255)
        }
        #expect(await pump { core == nil })

        var window: UnsafeMutablePointer<GtkWindow>?
        do {
            let paintable = ImagePaintable()
            core = paintable.core
            paintable.show(.image(try animation()))
            window = await present(try picture(of: paintable), width: 256, height: 256)
        }
        // GTK holds it: it still moves, and can be found again.
        #expect(core?.isMoving == true)
        let shown = try #require(window.flatMap { gtk_window_get_child($0) })
        let pointer = try #require(gtk_picture_get_paintable(shown.opaque))
        #expect(ImagePaintable(pointer)?.core === core)
        window.map(close)
        #expect(await pump { core == nil })
    }

    @Test(
        "V10: windows that close in the middle of transitions and animations leave nothing behind")
    func leavesNothing() async throws {
        struct Weak {
            weak var core: PaintableCore?
            weak var texture: ImageTexture?
            weak var pixels: PixelBuffer?
        }
        var left: [Weak] = []
        for round in 0..<20 {
            let image =
                round % 2 == 0
                ? try animation(alpha: 100) : Pictures.solid(Pictures.green, 256, 256)
            let paintable = ImagePaintable()
            let window = try #require(
                await present(picture(of: paintable), width: 256, height: 256))
            paintable.show(.image(Pictures.solid(Pictures.red, 256, 256)))
            paintable.show(.image(image), transition: .crossDissolve(.seconds(5)))
            for _ in 0..<5 { while g_main_context_iteration(nil, 0) != 0 {} }
            left.append(
                Weak(core: paintable.core, texture: paintable.texture, pixels: image.posterFrame))
            close(window)
        }
        #expect(
            await pump {
                left.allSatisfy { $0.core == nil && $0.texture == nil && $0.pixels == nil }
            })
    }

    @Test("V10: a paintable may be let go of on another thread")
    func otherThreads() async throws {
        weak var core: PaintableCore?
        do {
            let paintable = ImagePaintable()
            core = paintable.core
            paintable.show(.image(try animation()))
            await Task.detached { [paintable] in withExtendedLifetime(paintable) {} }.value
        }
        #expect(await pump { core == nil })
    }
}

extension ImagePaintable {
    /// The texture that shows.
    var texture: ImageTexture? { core.texture }
}
