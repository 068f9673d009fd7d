import CGTK
import DisplaySupport
import Testing
import VitrineGTK
import VitrineTesting

/// Runs what the article shows of views, sample by sample.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct URLImageViewSnippetTests {
    private let wall: Wall

    init() throws { wall = try Wall() }

    /// The texts of the labels in a widget that can be seen.
    private func texts(_ widget: UnsafeMutablePointer<GtkWidget>) -> [String] {
        found(in: widget, gtk_label_get_type()).map {
            String(cString: gtk_label_get_text(OpaquePointer($0)))
        }
    }

    private func found(
        in widget: UnsafeMutablePointer<GtkWidget>, _ type: GType
    ) -> [UnsafeMutablePointer<GtkWidget>] {
        guard gtk_widget_get_visible(widget) != 0 else { return [] }
        let instance = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self)
        var all = g_type_check_instance_is_a(instance, type) != 0 ? [widget] : []
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            all += found(in: child, type)
            next = gtk_widget_get_next_sibling(child)
        }
        return all
    }

    /// The paintable of the picture that is shown, if there is one by now.
    private func picture(in widget: UnsafeMutablePointer<GtkWidget>) -> ImagePaintable? {
        found(in: widget, gtk_picture_get_type()).first
            .flatMap { gtk_picture_get_paintable(OpaquePointer($0)) }
            .flatMap { ImagePaintable($0) }
            .flatMap { $0.content.image == nil ? nil : $0 }
    }

    @Test("S3, V7: a picture, how it lies, and what is known of it") func pictures() async throws {
        let url = try wall.serve("a")
        for (view, fit) in [
            (simple(url), ContentFit.contain), (withInfo(url), .contain), (byPhase(url), .contain),
        ] {
            let widget = try wall.hang(view.makeWidget())
            let window = try await wall.window(with: widget)
            #expect(await pump { picture(in: widget)?.contentFit == fit })
            gtk_window_destroy(window)
        }
        let large = try #require(URL(string: "https://pictures.example/large"))
        wall.transport.answer(
            large, with: .bytes(try TestPicture.gradient(width: 1100, height: 20)))
        let widget = try wall.hang(withInfo(large).makeWidget())
        let window = try await wall.window(with: widget)
        #expect(await pump { picture(in: widget)?.contentFit == .cover })
        gtk_window_destroy(window)
    }

    @Test("S3, V7: every slot, and a retry that works") func slots() async throws {
        let gate = Gate()
        let url = try #require(URL(string: "https://pictures.example/b"))
        wall.transport.answer(
            url, with: .status(503).held(by: gate),
            .bytes(try TestPicture.solid(), headers: ["Cache-Control": "max-age=60"]))
        let widget = try wall.hang(allSlots(url).makeWidget())
        let window = try await wall.window(with: widget)
        #expect(await pump { texts(widget) == ["Loading…"] })
        gate.open()
        #expect(await pump { texts(widget).last == "Retry" })
        #expect(texts(widget).first?.contains("503") == true)
        let button = try #require(found(in: widget, gtk_button_get_type()).first)
        gtk_widget_grab_focus(button)
        gtk_widget_activate(button)
        #expect(await pump { picture(in: widget) != nil })
        gtk_window_destroy(window)
    }

    @Test("S3, V7: progress in numbers") func progress() async throws {
        let gate = Gate()
        let url = try #require(URL(string: "https://pictures.example/c"))
        let bytes = try TestPicture.gradient(width: 100, height: 100)
        wall.transport.answer(
            url, with: .bytes(bytes).chunked(by: bytes.count - 1).pausing(at: gate))
        let widget = try wall.hang(withProgress(url).makeWidget())
        let window = try await wall.window(with: widget)
        #expect(await pump { texts(widget).first?.hasSuffix("9 %") == true })
        gate.open()
        #expect(await pump { picture(in: widget) != nil })
        gtk_window_destroy(window)
    }

    @Test("S3, V8, V9: the service of a window; a load at once; another value for a row")
    func services() async throws {
        let url = try wall.serve("d")
        let row = URLImage(url).makeWidget()
        let window = try await wall.window(with: row)
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
        setUp(top, service: wall.loader)
        let inner = URLImage(url).makeWidget()
        gtk_window_set_child(window, inner)
        #expect(await pump { picture(in: inner)?.contentFit == .cover })
        let count = wall.transport.requests.count
        rowChanged(inner, to: url)
        #expect(picture(in: inner) != nil)
        rowChanged(inner, to: nil)
        #expect(picture(in: inner) == nil && wall.transport.requests.count == count)
        gtk_window_destroy(window)

        let other = try wall.serve("e")
        let hidden = immediately(other, with: wall.loader).makeWidget()
        g_object_ref_sink(hidden)
        #expect(await pump { picture(in: hidden) != nil })
        g_object_unref(hidden)
    }

    @Test("S3, L8: a view of one's own") func own() async throws {
        let url = try wall.serve("f")
        let widget = try #require(ownView(of: RemoteImage(url, loader: wall.loader)))
        g_object_ref_sink(widget)
        #expect(await pump { texts(widget) == ["24 × 16"] })
        g_object_unref(widget)
    }
}
