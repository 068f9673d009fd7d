import CGTK
import DisplaySupport
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// The widget that zooms and pans.
@MainActor @Suite(.serialized) struct ZoomableImageTests {
    init() throws { try TestDisplay.open() }

    private static let colors = [Pictures.red, Pictures.blue, Pictures.green, Pictures.yellow]

    @Test("V15: zooming shows a part of the picture, and arrows move it up to its edge")
    func keys() async throws {
        let zoomable = ZoomableImage()
        zoomable.show(.image(Pictures.quarters(Self.colors, 400, 400)))
        let window = try #require(await present(zoomable.widget, width: 200, height: 200))
        defer { gtk_window_destroy(window) }
        #expect(await pump { zoomable.zoom == 0.5 })
        #expect(zoomable.isFitted)
        let controller = zoomable.controller
        func drawn() throws -> PixelBuffer {
            try Rendering.pixels(of: zoomable.paintable.pointer, width: 200, height: 200)
        }
        expectPixel(try drawn(), at: 10, 10, equals: Pictures.red)

        zoomable.zoom = 2
        #expect(zoomable.zoom == 2 && !zoomable.isFitted)
        for _ in 0..<40 where controller.pressed(UInt32(GDK_KEY_Right)) {}
        for _ in 0..<40 where controller.pressed(UInt32(GDK_KEY_Down)) {}
        expectPixels(
            try drawn(), equals: Pictures.solid(Pictures.yellow, 200, 200).posterFrame, "corner")
        // At the edge the arrow is left to others.
        #expect(!controller.pressed(UInt32(GDK_KEY_Right)))
        #expect(controller.pressed(UInt32(GDK_KEY_Left)))
        #expect(controller.pressed(UInt32(GDK_KEY_plus)))
        #expect(zoomable.zoom == 2.5)
        #expect(controller.pressed(UInt32(GDK_KEY_minus)))
        #expect(zoomable.zoom == 2)
        #expect(controller.pressed(UInt32(GDK_KEY_1)))
        #expect(zoomable.zoom == 1)
        #expect(controller.pressed(UInt32(GDK_KEY_0)))
        #expect(zoomable.isFitted)
        #expect(!controller.pressed(UInt32(GDK_KEY_a)))
        #expect(gtk_widget_grab_focus(zoomable.widget) != 0)
    }

    @Test(
        "V15: whoever wants to know hears of another zoom, once, also of one by the widget's size")
    func news() async throws {
        let zoomable = ZoomableImage()
        var heard: [Double] = []
        zoomable.zoomChanged = { heard.append(zoomable.zoom) }
        zoomable.show(.image(Pictures.quarters(Self.colors, 400, 400)))
        let window = try #require(await present(zoomable.widget, width: 200, height: 200))
        defer { gtk_window_destroy(window) }
        #expect(await pump { heard == [0.5] })
        zoomable.zoom = 2
        zoomable.zoom = 2
        #expect(zoomable.controller.pressed(UInt32(GDK_KEY_Left)))
        #expect(heard == [0.5, 2])
        zoomable.zoomToFit()
        #expect(heard == [0.5, 2, 0.5])
        zoomable.zoomChanged = nil
    }

    @Test("V15: the zoom of the first picture is news also if it is shown in its own size")
    func ownSize() async throws {
        let zoomable = ZoomableImage()
        var heard: [Double] = []
        zoomable.zoomChanged = { heard.append(zoomable.zoom) }
        zoomable.show(.empty)
        let window = try #require(await present(zoomable.widget, width: 200, height: 200))
        defer { gtk_window_destroy(window) }
        #expect(heard == [])
        for color in [Pictures.green, Pictures.red] {
            zoomable.show(.image(Pictures.solid(color, 100, 100)))
            #expect(await pump { heard == [1] })
        }
        zoomable.zoomChanged = nil
    }

    @Test("V15: another picture shows in full, a better one stays where its preview was")
    func contents() async throws {
        let zoomable = ZoomableImage()
        let size = PointSize(width: 400, height: 400)
        zoomable.show(.preview(Pictures.quarters(Self.colors, 100, 100), size: size))
        let window = try #require(await present(zoomable.widget, width: 200, height: 200))
        defer { gtk_window_destroy(window) }
        #expect(await pump { zoomable.zoom == 0.5 })
        zoomable.zoom = 2
        zoomable.show(.image(Pictures.quarters(Self.colors, 400, 400)))
        #expect(zoomable.zoom == 2)
        zoomable.show(.image(Pictures.solid(Pictures.green, 400, 400)))
        #expect(zoomable.isFitted)
    }

    @Test("V15: the wheel zooms about the pointer, by real events")
    func signals() async throws {
        let zoomable = ZoomableImage()
        zoomable.show(.image(Pictures.quarters(Self.colors, 400, 400)))
        let window = try #require(await present(zoomable.widget, width: 200, height: 200))
        defer { gtk_window_destroy(window) }
        #expect(await pump { zoomable.zoom == 0.5 })
        #expect(try emit("scroll", of: "GtkEventControllerScroll", on: zoomable.widget, 0, -1))
        #expect(zoomable.zoom == 0.625)
        _ = try emit("drag-begin", of: "GtkGestureDrag", on: zoomable.widget, 50, 50)
        let before = zoomable.controller.viewport.rectangle
        _ = try emit("drag-update", of: "GtkGestureDrag", on: zoomable.widget, 10, 5)
        let after = zoomable.controller.viewport.rectangle
        #expect(abs((after?.x ?? 0) - (before?.x ?? 0) - 10) < 1e-9)
        #expect(abs((after?.y ?? 0) - (before?.y ?? 0) - 5) < 1e-9)
    }

    /// Emits a signal with two numbers on the widget's controller of a class; what its handlers answer.
    private func emit(
        _ signal: String, of className: String, on widget: UnsafeMutablePointer<GtkWidget>,
        _ one: Double, _ other: Double
    ) throws -> Bool {
        let list = try #require(gtk_widget_observe_controllers(widget))
        let controllers = HeldObject(adopting: list)
        let type = g_type_from_name(className)
        let found = (0..<g_list_model_get_n_items(controllers.pointer)).compactMap { index in
            g_list_model_get_object(controllers.pointer, index).map {
                HeldObject(adopting: OpaquePointer($0))
            }
        }.first { isInstance($0.pointer.cast(to: GObject.self), of: type) }
        let controller = try #require(found)
        var values = [cgtk_value(), cgtk_value(), cgtk_value()]
        g_value_init(&values[0], type)
        g_value_set_object(&values[0], UnsafeMutableRawPointer(controller.pointer))
        for (index, number) in [(1, one), (2, other)] {
            g_value_init(&values[index], GType(15) << 2)
            g_value_set_double(&values[index], number)
        }
        var result = cgtk_value()
        g_value_init(&result, GType(5) << 2)
        let returns = signal == "scroll"
        let id = g_signal_lookup(signal, type)
        if returns {
            g_signal_emitv(&values, id, 0, &result)
        } else {
            g_signal_emitv(&values, id, 0, nil)
        }
        g_value_unset(&values[0])
        return g_value_get_boolean(&result) != 0
    }

    @Test("V15: it goes with its widget")
    func goes() async throws {
        weak var controller: ZoomController?
        weak var core: PaintableCore?
        do {
            let zoomable = ZoomableImage()
            zoomable.show(.image(Pictures.solid(Pictures.red, 256, 256)))
            controller = zoomable.controller
            core = zoomable.paintable.core
            let window = try #require(await present(zoomable.widget, width: 200, height: 200))
            gtk_window_destroy(window)
        }
        #expect(await pump { controller == nil && core == nil })
    }
}
