import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineTesting

@testable import VitrineGTK

/// Failures of `URLImage`: what is said, Retry, and the keyboard.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct URLImageFailureTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func failing(_ answers: ScriptedAnswer...) throws -> URL {
        let url = try stage.url("a")
        let good = ScriptedAnswer.bytes(try TestPicture.solid(Stage.red, width: 40, height: 40))
        let all = answers + [good]
        switch all.count {
        case 2: stage.transport.answer(url, with: all[0], all[1])
        case 3: stage.transport.answer(url, with: all[0], all[1], all[2])
        default: stage.transport.answer(url, with: good)
        }
        return url
    }

    @Test("V7, V12: the reason and Retry; the keyboard stays where it was until there is a picture")
    func retry() async throws {
        let gate = Gate()
        let url = try failing(.status(404), .status(500).held(by: gate))
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 300, height: 300))
        #expect(await pump { Widgets.button(in: widget) != nil })
        #expect(
            Widgets.texts(in: widget) == [
                "The server answered with status 404 (not found).", "Retry",
            ])
        Widgets.click(try #require(Widgets.button(in: widget)))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        #expect(focus(window) == widget, "nobody else has taken it")
        gate.open()
        #expect(await pump { Widgets.button(in: widget) != nil })
        #expect(Widgets.texts(in: widget).first?.contains("500") == true)
        #expect(focus(window) == Widgets.button(in: widget))
        gtk_widget_activate(focus(window))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        #expect(focus(window) == widget && stage.transport.requests.count == 3)
        close(window)
    }

    @Test("V7: one that fails again at once says why this time") func again() async throws {
        let url = try failing(.status(404), .status(410))
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 300, height: 300))
        #expect(await pump { Widgets.texts(in: widget).first?.contains("404") == true })
        Widgets.click(try #require(Widgets.button(in: widget)))
        #expect(await pump { Widgets.texts(in: widget).first?.contains("410") == true })
        close(window)
    }

    @Test("V7: what has failed stays so when it is shown again") func shownAgain() async throws {
        let url = try failing(.status(404))
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let column = try Widgets.column(widget)
        let window = try #require(await present(column, width: 300, height: 300))
        #expect(await pump { Widgets.button(in: widget) != nil })
        gtk_widget_set_visible(widget, 0)
        gtk_widget_set_visible(widget, 1)
        #expect(await pump { gtk_widget_get_mapped(widget) != 0 })
        #expect(Widgets.button(in: widget) != nil && stage.transport.requests.count == 1)
        close(window)
    }

    @Test("V7: a slot of one's own for failures, and Retry from there") func ownSlot() async throws
    {
        let url = try failing(.failure(.connectionLost(received: 0)))
        var again: (@MainActor () -> Void)?
        let widget = URLImage(
            url,
            failure: { error, retry in
                keep(retry, in: &again)
                gtk_label_new(error.isCancelled ? "cancelled" : "failed")
            }
        ).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 300, height: 300))
        #expect(await pump { Widgets.texts(in: widget) == ["failed"] })
        let retry = try #require(again)
        retry()
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        close(window)
        retry()
        #expect(
            stage.transport.requests.count == 2, "a closure that is called too late does nothing")
    }

    private func keep(
        _ retry: @escaping @MainActor () -> Void, in place: inout (@MainActor () -> Void)?
    ) {
        place = retry
    }

    @Test("V12: a little room has place for the button only, which still says what it is")
    func little() async throws {
        let url = try failing(.status(404))
        let widget = URLImage(url).fixedSize(width: 64, height: 64).loader(stage.loader)
            .makeWidget()
        let column = try Widgets.column(widget)
        let window = try #require(await present(column, width: 300, height: 300))
        #expect(await pump { Widgets.button(in: widget) != nil })
        let button = try #require(Widgets.button(in: widget))
        #expect(Widgets.texts(in: widget) == [] && gtk_widget_get_height(widget) == 64)
        #expect(cgtk_check_label(button.opaque, "Retry") == nil)
        let tip = try #require(gtk_widget_get_tooltip_text(button))
        #expect(String(cString: tip).contains("404"))
        Widgets.click(button)
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        close(window)
    }

    @Test("V12: name, busy and reason are told, and the picture has the name once it is there")
    func accessibility() async throws {
        let gate = Gate()
        let url = try failing(.status(404).held(by: gate))
        let widget = URLImage(url).accessibilityLabel("Boat", description: "A red boat")
            .loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 300, height: 300))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        #expect(cgtk_check_label(widget.opaque, "Boat") == nil)
        #expect(cgtk_check_busy(widget.opaque, 1) == nil)
        gate.open()
        #expect(await pump { Widgets.button(in: widget) != nil })
        let reason = "The server answered with status 404 (not found)."
        #expect(cgtk_check_busy(widget.opaque, 0) == nil)
        #expect(cgtk_check_description(widget.opaque, reason) == nil)
        Widgets.click(try #require(Widgets.button(in: widget)))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        let picture = try #require(Widgets.picture(in: widget))
        #expect(cgtk_check_label(picture.opaque, "Boat") == nil)
        #expect(cgtk_check_description(picture.opaque, "A red boat") == nil)
        #expect(cgtk_check_label(widget.opaque, "Boat") != nil, "it is said once")
        #expect(cgtk_check_description(widget.opaque, reason) != nil)
        close(window)
    }

    @Test("V7, V12: what the slots say may be said in another language") func texts() async throws {
        URLImageDefaults.texts.retry = "Nochmal"
        URLImageDefaults.texts.loading = "Lädt"
        URLImageDefaults.texts.reason = { _ in "Nicht da." }
        defer { URLImageDefaults.texts = URLImageTexts() }
        let gate = Gate()
        let url = try failing(.status(404).held(by: gate))
        let large = URLImage(url).fixedSize(width: 200, height: 200).loader(stage.loader)
            .makeWidget()
        let small = URLImage(url).fixedSize(width: 48, height: 48).loader(stage.loader)
            .makeWidget()
        let own: Widget = try #require(URLImageDefaults.button {}.makeWidget())
        let window = try #require(
            await present(try Widgets.column(large, small, own), width: 300, height: 400))
        #expect(Widgets.texts(in: own) == ["Nochmal"])
        #expect(await pump { Widgets.spinner(in: large) != nil })
        #expect(cgtk_check_label(Widgets.spinner(in: large)?.opaque, "Lädt") == nil)
        gate.open()
        #expect(await pump { Widgets.texts(in: large) == ["Nicht da.", "Nochmal"] })
        #expect(cgtk_check_description(large.opaque, "Nicht da.") == nil)
        #expect(await pump { Widgets.button(in: small) != nil })
        let button = try #require(Widgets.button(in: small))
        #expect(cgtk_check_label(button.opaque, "Nochmal") == nil)
        let tip = try #require(gtk_widget_get_tooltip_text(button))
        #expect(String(cString: tip) == "Nicht da. Nochmal")
        close(window)
    }

    private func focus(_ window: UnsafeMutablePointer<GtkWindow>) -> Widget? {
        gtk_window_get_focus(window)
    }
}
