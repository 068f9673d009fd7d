import CGTK
import DisplaySupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// Widgets that belong to another library, which hands out their pointers and goes on using them: what
/// Adwaita for Swift and SwiftCrossUI do.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct OtherLibrariesTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// A library that knows its widgets by opaque pointers, makes them anew never, and runs what its users
    /// give it after each update, outside of Swift's main actor as far as the compiler knows.
    private final class OtherLibrary {
        let pointer: OpaquePointer
        private let inspectors: [(OpaquePointer) -> Void]

        init(_ pointer: OpaquePointer, inspect: @escaping (OpaquePointer) -> Void) {
            self.pointer = pointer
            inspectors = [inspect]
        }

        func update() { for inspect in inspectors { inspect(pointer) } }
    }

    private nonisolated static func setImage(
        from url: URL, in opaque: OpaquePointer, _ options: ImageOptions
    ) {
        nonisolated(unsafe) let widget = UnsafeMutablePointer<GtkWidget>(opaque)
        MainActor.assumeIsolated {
            widget.vitrine.setImage(
                from: url, placeholder: .icon("image-loading-symbolic"), options: options)
        }
    }

    @Test(
        "V14: an opaque pointer, told the same after each update, loads once and ends with its widget"
    )
    func opaquePointer() async throws {
        let url = try stage.serve("a")
        let options = stage.options
        let widget = try #require(gtk_picture_new())
        let library = OtherLibrary(OpaquePointer(widget)) { pointer in
            Self.setImage(from: url, in: pointer, options)
        }
        library.update()
        let window = try #require(await present(widget, width: 100, height: 80))
        #expect(await pump { WidgetPixels(widget)?.middle == Stage.red })
        for _ in 0..<20 { library.update() }
        #expect(WidgetPixels(widget)?.middle == Stage.red)
        #expect(stage.transport.requests.count == 1)
        close(window)
    }

    @Test("V14: pixels that the owner puts into its picture give way at the next update")
    func ownersPixels() async throws {
        let url = try stage.serve("a")
        let options = stage.options
        let widget = try #require(gtk_picture_new())
        let pixel = try #require(ImageTexture.shared(for: Pictures.solid(Stage.blue, 1, 1)))
        let library = OtherLibrary(OpaquePointer(widget)) { pointer in
            // As a library commits its own picture, before it runs what its users have given it.
            gtk_picture_set_paintable(pointer, pixel.pointer)
            Self.setImage(from: url, in: pointer, options)
        }
        let window = try #require(await present(widget, width: 100, height: 80))
        for _ in 0..<3 {
            library.update()
            #expect(await pump { WidgetPixels(widget)?.middle == Stage.red })
        }
        #expect(stage.transport.requests.count == 1)
        close(window)
    }

    @Test("V14: a widget that its library throws away while it loads leaves nothing")
    func thrownAway() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let options = stage.options
        let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let window = try #require(await present(box, width: 100, height: 80))
        let widget = try #require(gtk_picture_new())
        gtk_box_append(box.cast(), widget)
        let library = OtherLibrary(OpaquePointer(widget)) { pointer in
            Self.setImage(from: url, in: pointer, options)
        }
        library.update()
        #expect(await pump { stage.transport.active == 1 })
        gtk_box_remove(box.cast(), widget)
        #expect(await pump { stage.transport.active == 0 })
        gate.open()
        close(window)
    }
}
