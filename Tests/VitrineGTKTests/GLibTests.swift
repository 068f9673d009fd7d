import CGTK
import DisplaySupport
import Testing

@testable import VitrineGTK

/// What ties Swift to GLib's objects.
@MainActor @Suite(.serialized) struct GLibTests {
    init() throws { try TestDisplay.open() }

    private final class Belonging {}

    @Test("V4: what belongs to a widget goes with it")
    func belongings() async throws {
        let widget = try #require(gtk_picture_new())
        g_object_ref_sink(widget)
        weak var weakBelonging: Belonging?
        do {
            let value = Belonging()
            setBelonging(value, of: widget, name: "test")
            weakBelonging = value
        }
        #expect(belonging(Belonging.self, of: widget, name: "test") === weakBelonging)
        #expect(belonging(Belonging.self, of: widget, name: "other") == nil)
        let weak = WeakWidget(widget)
        #expect(weak.with { $0 } == widget)
        g_object_unref(widget)
        #expect(weak.with { $0 } == nil)
        #expect(weakBelonging == nil)
    }

    @Test("V1: a signal calls Swift, and what the code holds goes with the widget")
    func signals() async throws {
        let button = try #require(gtk_button_new())
        g_object_ref_sink(button)
        var count = 0
        weak var weakBelonging: Belonging?
        do {
            let value = Belonging()
            weakBelonging = value
            connect(button, "clicked") { arguments in
                withExtendedLifetime(value) { count += 1 }
                #expect(arguments.object(at: 0) == button.opaque)
                #expect(arguments.object(at: 1) == nil)
            }
        }
        emitClicked(button)
        #expect(count == 1)
        g_object_unref(button)
        #expect(weakBelonging == nil)
    }

    @Test("promise 10: work for the loop is done by the loop")
    func loopWork() async {
        var isDone = false
        onMainLoop { isDone = true }
        #expect(await pump { isDone })
    }
}

/// `gtk_widget_activate` clicks a button only once it is realized.
private func emitClicked(_ button: UnsafeMutablePointer<GtkWidget>) {
    var sender = cgtk_value()
    g_value_init(&sender, gtk_button_get_type())
    g_value_set_object(&sender, button)
    var result = cgtk_value()
    g_signal_emitv(&sender, g_signal_lookup("clicked", gtk_button_get_type()), 0, &result)
    g_value_unset(&sender)
}
