import CGTK
import DisplaySupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// `URLImage` in windows: its slots and their content; by which rules they change stands beside this.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct URLImageTests {
    let stage: Stage

    init() throws { stage = try Stage() }

    func label(_ text: String) -> Widget? { Widgets.label(text) }

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

    @Test(
        "V16: beside other parts of a slot the picture takes what they leave, and asks for no more outside",
        arguments: [ImageLayout.aspectRatio(4.0 / 3), .fixed(PointSize(width: 200, height: 150))])
    func room(_ layout: ImageLayout) async throws {
        let url = try stage.serve("a", width: 80, height: 40)
        let view = URLImage(url) { picture in
            picture.contentFit(.cover)
            Widgets.label("80 × 40")
        }
        let widget = view.layout(layout).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 200, height: 150))
        #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
        let picture = try #require(Widgets.picture(in: widget))
        let label = try #require(Widgets.first(gtk_label_get_type(), in: widget))
        #expect(
            await pump {
                gtk_widget_get_width(picture) == 200
                    && gtk_widget_get_height(picture) == 150 - 6 - gtk_widget_get_height(label)
            })
        #expect(gtk_widget_compute_expand(widget, GTK_ORIENTATION_VERTICAL) == 0)
        #expect(gtk_widget_compute_expand(widget, GTK_ORIENTATION_HORIZONTAL) == 0)
        close(window)
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
}
