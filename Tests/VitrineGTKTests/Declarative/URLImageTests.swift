import CGTK
import DisplaySupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// `URLImage` in windows: its slots and what makes them change.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct URLImageTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func label(_ text: String) -> Widget? { Widgets.label(text) }

    // MARK: - Slots

    @Test("V7: a slot for each state, one after the other") func slots() async throws {
        let gate = Gate()
        let url = try stage.serve("a", width: 60, height: 30, heldBy: gate)
        let view = URLImage(url) {
            label("empty")
        } inProgress: { progress, _ in
            label("loading \(progress.fraction ?? -1)")
        } failure: { error, _ in
            label("failed")
        } content: { picture, response in
            picture
            label("\(response.source) \(picture.image?.info.pixelSize.width ?? 0)")
        }
        let widget = view.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 200, height: 200))
        #expect(await pump { Widgets.texts(in: widget) == ["loading -1.0"] })
        gate.open()
        #expect(await pump { Widgets.texts(in: widget) == ["network 60"] })
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })

        view.loader(stage.loader).update(widget)
        URLImage(URL?.none) { label("none") }.update(widget)
        #expect(Widgets.texts(in: widget) == ["none"])
        let missing = URLImage(try stage.url("missing")) {
            label("empty")
        } failure: { error, _ in
            label("status \(error.http?.status ?? 0)")
        }
        missing.loader(stage.loader).update(widget)
        #expect(await pump { Widgets.texts(in: widget) == ["status 404"] })
        close(window)
    }

    @Test("V7: closures take as many values as they use, and a request is a source, too")
    func forms() async throws {
        let request = ImageRequest(try stage.serve("a"))
        let views = [
            URLImage(request),
            URLImage(request) { label("empty") },
            URLImage(request) { _ in label("there") },
            URLImage(request) { picture in
                picture
                label("there")
            },
            URLImage(request) { picture, response in
                picture
                label("\(response.image.pixelSize.width)")
            },
            URLImage(request, inProgress: { _ in label("loading") }) { picture in
                if picture.image == nil { label("never") } else { label("there") }
                for text in ["and", "more"] { label(text) }
            },
            URLImage(request, inProgress: { _, preview in preview }) { picture, _ in picture },
            URLImage(Optional(request), inProgress: { _, _ in label("loading") }),
        ]
        let texts = [
            [], [], ["there"], ["there"], ["40"], ["there", "and", "more"], [], [],
        ]
        _ = try await stage.loader.image(for: request)
        for (view, expected) in zip(views, texts) {
            var options = ImageOptions()
            options.decodesAtShownSize = false
            let widget = view.options(options).loader(stage.loader).makeWidget()
            g_object_ref_sink(widget)
            #expect(Widgets.texts(in: widget) == expected)
            g_object_unref(widget)
        }
    }

    @Test("V7: the phase form, made once for each phase") func phases() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        var made: [String] = []
        let view = URLImage(url: url) { phase in
            switch phase {
            case .empty:
                note("empty", &made)
                label("empty")
            case .inProgress(let progress, let preview):
                note("progress", &made)
                URLImageDefaults.inProgress(progress, preview)
            case .failure(let error, let retry):
                note("failure", &made)
                URLImageDefaults.failure(error, retry)
            case .success(let picture, let response):
                note("success", &made)
                picture
                label(response.source.rawValue)
            }
        }
        let widget = view.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        gate.open()
        #expect(await pump { Widgets.texts(in: widget) == ["network"] })
        #expect(made == ["progress", "success"])
        close(window)
    }

    private func note(_ word: String, _ words: inout [String]) { words.append(word) }

    @Test("V7: without slots: a spinner, then a bar in place, then the picture") func progress()
        async throws
    {
        let before = Gate()
        let within = Gate()
        let url = try stage.url("a")
        let bytes = try TestPicture.gradient(width: 200, height: 100)
        stage.transport.answer(
            url,
            with: .bytes(bytes).held(by: before).chunked(by: bytes.count / 2 + 1).pausing(
                at: within))
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 200, height: 200))
        #expect(await pump { Widgets.spinner(in: widget) != nil })
        let slot = try #require(SlotContainer.child(of: widget))
        #expect(Widgets.bar(in: widget) == nil)
        before.open()
        #expect(await pump { Widgets.bar(in: widget) != nil })
        let bar = try #require(Widgets.bar(in: widget))
        let fraction = gtk_progress_bar_get_fraction(bar.opaque)
        #expect(fraction > 0.4 && fraction < 0.7, "\(fraction)")
        #expect(SlotContainer.child(of: widget) == slot && Widgets.spinner(in: widget) == nil)
        within.open()
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        #expect(Widgets.bar(in: widget) == nil && Widgets.texts(in: widget) == [])
        close(window)
    }

    @Test("promise 25: the progress is that of the picture that is wanted now") func otherProgress()
        async throws
    {
        let never = Gate()
        let url = try stage.url("a")
        let bytes = try TestPicture.gradient(width: 200, height: 100)
        stage.transport.answer(
            url, with: .bytes(bytes).chunked(by: bytes.count / 2 + 1).pausing(at: never))
        let widget = URLImage(url).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 200, height: 200))
        #expect(await pump { Widgets.bar(in: widget) != nil })
        let slot = SlotContainer.child(of: widget)
        let other = try stage.serve("b", heldBy: never)
        URLImage(other).loader(stage.loader).update(widget)
        #expect(await pump { Widgets.bar(in: widget) == nil && Widgets.spinner(in: widget) != nil })
        #expect(await pump { stage.transport.requests(for: other).count == 1 })
        #expect(Widgets.bar(in: widget) == nil)
        URLImage(URL?.none).update(widget)
        #expect(SlotContainer.child(of: widget) != slot)
        #expect(await pump { stage.transport.active == 0 })
        close(window)
    }

    @Test("V7: what has arrived is shown in the slot for progress") func previews() async throws {
        let gate = Gate()
        let small = ImageRequest(try stage.serve("small", Stage.blue, width: 10, height: 10))
        var request = ImageRequest(try stage.serve("large", width: 40, height: 40, heldBy: gate))
        request.lowResolution = small
        var count = 0
        let view = URLImage(
            request,
            inProgress: { progress, preview in
                note("", count: &count)
                preview.contentFit(.cover)
            })
        let widget = view.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { WidgetPixels(widget)?.middle == Stage.blue })
        // Also when the time has passed after which there would be a placeholder.
        _ = await pump(within: 0.1) { false }
        #expect(WidgetPixels(widget)?.middle == Stage.blue)
        gate.open()
        #expect(await pump { WidgetPixels(widget)?.middle == Stage.red })
        #expect(count == 1)
        close(window)
    }

    private func note(_ word: String, count: inout Int) { count += 1 }

    @Test("V7: one widget in several slots, and one that is in another place already")
    func ownWidgets()
        async throws
    {
        let url = try stage.serve("a")
        let mine: Widget = gtk_label_new("mine")
        let widget = URLImage(url, empty: { mine }, inProgress: { _ in mine }) { _ in mine }
            .loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { stage.loader.imageCache.count == 1 })
        #expect(await pump { Widgets.texts(in: widget) == ["mine"] })
        for _ in 0..<3 {
            URLImage(URL?.none) { mine }.update(widget)
            #expect(Widgets.texts(in: widget) == ["mine"])
            URLImage(url) { _ in mine }.loader(stage.loader).update(widget)
            #expect(await pump { Widgets.texts(in: widget) == ["mine"] })
        }
        let other = URLImage(URL?.none) { mine }.makeWidget()
        g_object_ref_sink(other)
        #expect(SlotContainer.child(of: other) == nil)
        g_object_unref(other)
        close(window)
    }

    // MARK: - Content

    @Test("V7: content reaches pixels, bytes and texture") func content() async throws {
        let url = try stage.serve("a", width: 30, height: 20)
        let bytes = try TestPicture.solid(Stage.red, width: 30, height: 20)
        var found: URLImagePicture?
        let widget = URLImage(url) { picture, response in
            keep(picture, in: &found)
            picture
        }.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        let picture = try #require(found)
        #expect(picture.image?.pixelSize == PixelSize(width: 30, height: 20))
        #expect(picture.data == bytes)
        let image = try #require(Widgets.paintable(in: widget)?.content.image)
        #expect(picture.texture === ImageTexture.shared(for: image))
        close(window)
    }

    private func keep(_ picture: URLImagePicture, in place: inout URLImagePicture?) {
        place = picture
    }

    @Test("V16: modifiers of the picture: fit, size, aspect, label") func modifiers() async throws {
        let url = try stage.serve("a", width: 80, height: 40)
        let view = URLImage(url) { picture in
            picture.contentFit(.cover).fixedSize(width: 50, height: 50)
                .accessibilityLabel("Square", description: "A red square")
            picture.aspectRatio(2)
            picture.layout(.none).transition(.crossDissolve())
        }
        let widget = view.loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 200, height: 300))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        let pictures = Widgets.all(in: widget).filter { isInstance($0, of: gtk_picture_get_type()) }
        #expect(pictures.count == 3)
        #expect(await pump { gtk_widget_get_width(pictures[0]) == 50 })
        #expect(gtk_widget_get_height(pictures[0]) == 50)
        #expect(
            gtk_widget_get_width(pictures[1]) == 200 && gtk_widget_get_height(pictures[1]) == 100)
        #expect(Widgets.paintable(in: pictures[0])?.contentFit == .cover)
        #expect(cgtk_check_label(pictures[0].opaque, "Square") == nil)
        #expect(cgtk_check_description(pictures[0].opaque, "A red square") == nil)
        close(window)
    }

    @Test(
        "V11: decoded for the place, fit and scale in the slot, and again in place when that grows")
    func sizes() async throws {
        let url = try stage.serve("a", width: 1000, height: 500)
        var made = 0
        let widget = URLImage(url) { picture in
            note("", count: &made)
            picture.layout(.none)
        }.layout(.none).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        func width() -> Int? { Widgets.paintable(in: widget)?.content.image?.pixelSize.width }
        #expect(await pump { width() == 112 })
        let slot = SlotContainer.child(of: widget)
        gtk_window_set_default_size(window, 300, 300)
        #expect(await pump { width() == 320 })
        #expect(SlotContainer.child(of: widget) == slot && made == 1)
        #expect(stage.transport.requests.count == 1)
        close(window)

        let cover = URLImage(url) { $0.contentFit(.cover).fixedSize(width: 80, height: 80) }
            .loader(stage.loader).makeWidget()
        let second = try #require(await present(cover, width: 100, height: 100))
        #expect(
            await pump {
                Widgets.paintable(in: cover)?.content.image?.pixelSize
                    == PixelSize(width: 80, height: 80)
            })
        let whole = URLImage(url) { $0.contentFit(.none) }.loader(stage.loader).makeWidget()
        gtk_window_set_child(second, whole)
        #expect(
            await pump {
                Widgets.paintable(in: whole)?.content.image?.pixelSize.width == 1000
            })
        close(second)
    }

    @Test("V10: an animation plays in the slot") func animation() async throws {
        let frames = [Stage.red, Stage.blue].map { PixelBuffer.solid($0, width: 20, height: 20) }
        let animation = try RasterImage(
            frames: frames, durations: [.milliseconds(20), .milliseconds(20)])
        let url = try stage.url("a.gif")
        stage.transport.answer(url, with: .bytes(try animation.encoded(as: .gif)))
        let widget = URLImage(url).fixedSize(width: 20, height: 20).loader(stage.loader)
            .makeWidget()
        let window = try #require(await present(widget, width: 100, height: 100))
        #expect(await pump { Widgets.paintable(in: widget)?.frameIndex == 1 })
        gtk_widget_set_visible(widget, 0)
        #expect(
            Widgets.paintable(in: try #require(SlotContainer.child(of: widget)))?.isMoving == false)
        close(window)
    }

    // MARK: - Rules

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
