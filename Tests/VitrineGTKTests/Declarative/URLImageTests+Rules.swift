import CGTK
import DisplaySupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// When a `URLImage` loads, what it shows meanwhile, and by whose options.
extension URLImageTests {
    @Test("promise 10: what is in memory is there in the same call, at once") func memory()
        async throws
    {
        let url = try stage.serve("a")
        var request = ImageRequest(url)
        request.targetSize = .fit(width: 40, height: 40)
        _ = try await stage.loader.image(for: request)
        let widget = URLImage(request).transition(.crossDissolve()).loader(stage.loader)
            .makeWidget()
        #expect(Widgets.paintable(in: widget)?.content.image != nil)
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(Widgets.paintable(in: widget)?.isMoving == false)
        #expect(stage.transport.requests.count == 1)
        close(window)
    }

    @Test("V3: who has waited sees the transition, from the picture before if that was kept")
    func transition() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let view = URLImage(url).transition(.crossDissolve(.seconds(30)))
            .fixedSize(width: 60, height: 60).loader(stage.loader)
        let widget = view.makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        gate.open()
        #expect(await pump { Widgets.paintable(in: widget)?.isMoving == true })
        close(window)

        var kept = ImageOptions()
        kept.previous = .kept
        kept.alwaysTransitions = true
        let second = URLImage(url).fixedSize(width: 60, height: 60).options(kept)
            .loader(stage.loader).makeWidget()
        let other = try #require(await present(second, width: 100, height: 100))
        #expect(await pump { WidgetPixels(second)?.middle == Stage.red })
        let later = Gate()
        let blue = try stage.serve("b", Stage.blue, heldBy: later)
        URLImage(blue).transition(.crossDissolve(.seconds(300))).fixedSize(width: 60, height: 60)
            .options(kept).loader(stage.loader).update(second)
        _ = await pump(within: 0.1) { false }
        #expect(WidgetPixels(second)?.middle == Stage.red)
        later.open()
        #expect(await pump { Widgets.paintable(in: second)?.isMoving == true })
        #expect(await pump { WidgetPixels(second)?.middle.red ?? 0 > 180 }, "as it was")
        close(other)
    }

    @Test("promise 28: the same picture wanted again is not loaded again, and its slot stays")
    func noRestart() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let view = URLImage(url).loader(stage.loader)
        let widget = view.makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        let waiting = SlotContainer.child(of: widget)
        for _ in 0..<3 { view.update(widget) }
        #expect(SlotContainer.child(of: widget) == waiting)
        gate.open()
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        let slot = SlotContainer.child(of: widget)
        for _ in 0..<3 { view.update(widget) }
        #expect(SlotContainer.child(of: widget) == slot && stage.transport.requests.count == 1)
        close(window)
        let stranger: Widget = gtk_label_new("no")
        g_object_ref_sink(stranger)
        view.update(stranger)
        g_object_unref(stranger)
    }

    @Test("V9, promise 27: loads when it is shown, stops when it is hidden, and begins again")
    func appearing() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let column = try Widgets.column(widget)
        gtk_widget_set_visible(widget, 0)
        let window = try #require(await present(column, width: 100, height: 100))
        #expect(stage.transport.requests.isEmpty)
        gtk_widget_set_visible(widget, 1)
        #expect(await pump { stage.transport.active == 1 })
        gtk_widget_set_visible(widget, 0)
        #expect(await pump { stage.transport.active == 0 })
        gtk_widget_set_visible(widget, 1)
        #expect(await pump { stage.transport.requests.count == 2 })
        gate.open()
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        close(window)
    }

    @Test("V9: at once, by a loader of its own or that of the window to which it comes")
    func atOnce()
        async throws
    {
        let url = try stage.serve("a")
        let own = URLImage(url).whenHidden(.loads).loader(stage.loader).makeWidget()
        g_object_ref_sink(own)
        #expect(await pump { Widgets.paintable(in: own)?.content.image != nil })
        g_object_unref(own)

        let other = try stage.serve("b")
        let widget = URLImage(other).whenHidden(.loads).makeWidget()
        let column = try Widgets.column(widget)
        gtk_widget_set_visible(widget, 0)
        column.vitrine.options = stage.options
        let window = try #require(await present(column, width: 100, height: 100))
        #expect(await pump { stage.transport.requests(for: other).count == 1 })
        close(window)
    }

    @Test("V8: options of the widgets above count, unless it says otherwise itself") func subtree()
        async throws
    {
        let url = try stage.serve("a")
        var options = stage.options
        options.contentFit = .cover
        options.layout = .fixed(PointSize(width: 70, height: 50))
        let widget = URLImage(url).makeWidget()
        let own = URLImage(url).contentFit(.fill).fixedSize(width: 30, height: 30).makeWidget()
        let column = try Widgets.column(widget, own)
        column.vitrine.options = options
        let window = try #require(await present(column, width: 100, height: 200))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        #expect(await pump { Widgets.paintable(in: own)?.content.image != nil })
        #expect(Widgets.paintable(in: widget)?.contentFit == .cover)
        #expect(Widgets.paintable(in: own)?.contentFit == .fill)
        #expect(gtk_widget_get_height(widget) == 50 && gtk_widget_get_height(own) == 30)
        #expect(widget.vitrine.effectiveOptions.contentFit == .cover)
        close(window)
    }

    @Test("V8: what the window says after the widget has come to it, counts once that is shown")
    func late() async throws {
        let url = try stage.serve("a")
        let column: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let window = try #require(await present(column, width: 100, height: 100))
        let widget = URLImage(url).makeWidget()
        gtk_widget_set_visible(widget, 0)
        gtk_box_append(column.cast(), widget)
        var options = stage.options
        options.layout = .fixed(PointSize(width: 44, height: 33))
        column.vitrine.options = options
        gtk_widget_set_visible(widget, 1)
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        #expect(await pump { gtk_widget_get_height(widget) == 33 })
        #expect(stage.transport.requests.count == 1)
        close(window)
    }

    @Test("promise 13: what no cache has is empty") func cacheOnly() async throws {
        var request = ImageRequest(try stage.serve("a"))
        request.cachePolicy = .cacheOnly
        let widget = URLImage(request) { label("empty") }.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.texts(in: widget) == ["empty"] })
        #expect(stage.transport.requests.isEmpty)
        close(window)
    }

    @Test("V7, D5: the bar makes room for a preview; when that goes the spinner is there again")
    func previewGoes() async throws {
        let url = try stage.serve("a", heldBy: Gate())
        let widget = URLImage(url).fixedSize(width: 80, height: 80).loader(stage.loader)
            .makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        // As when it is wanted in another size before it is there.
        let model = URLImageModel.of(widget)
        model.show(.preview(Pictures.solid(Stage.blue), withTransition: false))
        #expect(await pump { Widgets.spinner(in: widget) == nil })
        model.show(.nothing)
        model.show(.placeholder)
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        func middle() -> Double {
            var bounds = graphene_rect_t()
            guard let bar = Widgets.bar(in: widget),
                gtk_widget_compute_bounds(bar, widget, &bounds) != 0
            else { return 0 }
            return Double(bounds.origin.y + bounds.size.height / 2)
        }
        model.advanced(to: ImageTask.Progress(received: 1, total: 3))
        #expect(await pump { abs(middle() - 50) < 2 })
        model.show(.preview(Pictures.solid(Stage.blue), withTransition: false))
        #expect(await pump { middle() > 75 })
        model.show(.nothing)
        model.advanced(to: ImageTask.Progress(received: 1, total: nil))
        model.show(.placeholder)
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        #expect(Widgets.paintable(in: widget)?.content.isEmpty == true)
        close(window)
    }

    @Test("V7: a real server, without anybody who serves the main queue") func origin() async throws
    {
        let origin = try OriginServer.start()
        defer { origin.stop() }
        origin.route("/a.png", .bytes(Array(try Fixture.data("scene.png"))))
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        let loader = ImageLoader(configuration)
        let widget = URLImage(URL(string: origin.address("/a.png"))).loader(loader).makeWidget()
        let missing = URLImage(URL(string: origin.address("/b.png"))).loader(loader).makeWidget()
        let column = try Widgets.column(widget, missing)
        let window = try #require(await present(column, width: 300, height: 300))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        #expect(
            await pump {
                Widgets.texts(in: missing)
                    == ["The server answered with status 404 (not found).", "Retry"]
            })
        close(window)
    }
}
