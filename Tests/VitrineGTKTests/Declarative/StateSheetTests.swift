import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineImaging
import VitrineTesting

@testable import VitrineGTK

/// All states beside each other, as they look without slots of one's own. `VITRINE_SHEETS=folder` keeps the
/// pictures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct StateSheetTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// The states in a large and in a small room.
    private struct Sheet {
        var widget: Widget
        var large: Widget
        var small: Widget
        var window: UnsafeMutablePointer<GtkWindow>
    }

    private func present() async throws -> Sheet {
        let row: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        let small: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        let column: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        for setMargin in [
            gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start,
            gtk_widget_set_margin_end,
        ] { setMargin(column, 12) }
        for part in [row, small] { gtk_box_append(column.cast(), part) }
        let sources = try self.sources()
        for (box, side) in [(row, 180.0), (small, 64)] {
            for source in sources {
                let view = URLImage(source).fixedSize(width: side, height: side)
                    .loader(stage.loader)
                let frame: Widget = gtk_frame_new(nil)
                gtk_frame_set_child(frame.cast(), view.makeWidget())
                gtk_box_append(box.cast(), frame)
            }
        }
        let sheet = try Widgets.column(column)
        gtk_widget_add_css_class(sheet, "background")
        let window = try #require(
            await DisplaySupport.present(sheet, width: 1160, height: 320))
        for box in [row, small] {
            let views = Widgets.all(in: box).filter { SlotContainer.isOne($0) }
            #expect(views.count == sources.count)
            #expect(await pump { Widgets.spinner(in: views[1]) != nil })
            #expect(await pump { Widgets.bar(in: views[2]) != nil })
            #expect(
                await pump {
                    let bar = Widgets.bar(in: views[3])
                    return Widgets.paintable(in: views[3])?.content.isPreview == true
                        && bar.map { gtk_widget_get_valign($0) } == GTK_ALIGN_END
                })
            #expect(await pump { Widgets.button(in: views[4]) != nil })
            #expect(await pump { Widgets.paintable(in: views[5])?.content.image != nil })
        }
        return Sheet(widget: sheet, large: row, small: small, window: window)
    }

    @Test(
        "V7: every state in a large and a small room, light and dark", arguments: [false, true])
    func sheet(isDark: Bool) async throws {
        setDark(isDark)
        defer { setDark(false) }
        let sheet = try await present()
        _ = await pump(within: 0.2) { false }
        let pixels = try #require(WidgetPixels(sheet.widget))
        let corner = pixels[2, 2]
        #expect(isDark ? corner.red < 80 : corner.red > 200, "the window follows the theme")
        for box in [sheet.large, sheet.small] {
            var next = gtk_widget_get_first_child(box)
            var heights: Set<gint> = []
            while let frame = next {
                heights.insert(gtk_widget_get_height(frame))
                next = gtk_widget_get_next_sibling(frame)
            }
            #expect(heights.count == 1, "\(heights)")
        }
        if let folder = ProcessInfo.processInfo.environment["VITRINE_SHEETS"] {
            let file = URL(filePath: folder).appending(
                path: "urlimage-\(isDark ? "dark" : "light").png")
            try RasterImage(pixels.buffer).encoded(as: .png).write(to: file)
        }
        close(sheet.window)
    }

    /// GTK's own look, with text of no height and no colour, and nothing that moves.
    private static let mask = """
        * { transition: none; animation: none; font-size: 1px; }
        label { color: transparent; }
        spinner { -gtk-icon-transform: none; }
        """

    @Test(
        "V7: the default slots look as they did, but for their text, in the theme of GTK 4.8",
        .enabled(if: gtk_get_minor_version() == 8), arguments: [false, true])
    func golden(isDark: Bool) async throws {
        let display = try #require(gdk_display_get_default())
        let provider = try #require(gtk_css_provider_new())
        gtk_css_provider_load_from_data(provider, Self.mask, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_USER))
        setDark(isDark)
        defer {
            gtk_style_context_remove_provider_for_display(display, OpaquePointer(provider))
            g_object_unref(provider)
            setDark(false)
        }
        let sheet = try await present()
        await WidgetPixels.settle(sheet.widget)
        let drawn = try #require(WidgetPixels(sheet.widget)).buffer
        try Golden.compare(drawn, "states-default-\(isDark ? "dark" : "light")")
        close(sheet.window)
    }

    /// Empty, waiting, half there, half there with a preview, failed, there.
    private func sources() throws -> [ImageRequest?] {
        let never = Gate()
        let bytes = try TestPicture.gradient(width: 300, height: 300)
        let half = try stage.url("half")
        let answer = ScriptedAnswer.bytes(bytes).chunked(by: bytes.count * 2 / 3)
        stage.transport.answer(half, with: answer.pausing(at: never))
        var previewed = ImageRequest(try stage.url("preview"))
        stage.transport.answer(previewed.url, with: answer.pausing(at: never))
        previewed.lowResolution = ImageRequest(
            try stage.serve("low", Pixel(red: 90, green: 140, blue: 190), width: 64, height: 64))
        let waiting = try stage.serve("waiting", heldBy: never)
        let there = try stage.url("there")
        stage.transport.answer(
            there,
            with: .bytes(
                try TestPicture.gradient(
                    from: Pixel(red: 230, green: 120, blue: 40),
                    to: Pixel(red: 40, green: 60, blue: 140), width: 300, height: 200)))
        return [
            nil, ImageRequest(waiting), ImageRequest(half), previewed,
            ImageRequest(try stage.url("missing")), ImageRequest(there),
        ]
    }

    private func setDark(_ isDark: Bool) {
        guard let settings = gtk_settings_get_default() else { return }
        var value = cgtk_value()
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, isDark ? 1 : 0)
        g_object_set_property(
            UnsafeMutablePointer<GObject>(settings), "gtk-application-prefer-dark-theme", &value)
        g_value_unset(&value)
    }
}
