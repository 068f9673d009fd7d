import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineGTK
import VitrineTesting

/// A display, a scripted loader, and widgets that load by it.
@MainActor struct Wall {
    let transport = ScriptedTransport()
    let loader: ImageLoader

    init() throws {
        try TestDisplay.open()
        loader = .scripted(transport)
    }

    /// A picture at a name, which comes when the gate, if there is one, is open.
    func serve(_ name: String, heldBy gate: Gate? = nil) throws -> URL {
        let url = try #require(URL(string: "https://pictures.example/\(name)"))
        let answer = ScriptedAnswer.bytes(
            try TestPicture.gradient(width: 24, height: 16),
            headers: ["Cache-Control": "max-age=60"])
        transport.answer(url, with: gate.map { answer.held(by: $0) } ?? answer)
        return url
    }

    /// The widget, which loads by the scripted loader.
    func hang(
        _ widget: UnsafeMutablePointer<GtkWidget>?
    ) throws -> UnsafeMutablePointer<GtkWidget> {
        let widget = try #require(widget)
        widget.vitrine.options.loader = loader
        return widget
    }

    func window(
        with widget: UnsafeMutablePointer<GtkWidget>
    ) async throws -> UnsafeMutablePointer<GtkWindow> {
        try #require(await present(widget, width: 120, height: 120))
    }
}

/// Whether the widget shows a picture that was loaded.
@MainActor func isThere(
    _ widget: UnsafeMutablePointer<GtkWidget>, in slot: ImageSlot = .picture
) -> Bool { widget.vitrine.paintable(in: slot)?.content.image != nil }

/// Whether the widget shows a placeholder.
@MainActor func isWaiting(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
    guard let content = widget.vitrine.paintable()?.content else { return false }
    return !content.isEmpty && content.image == nil
}
