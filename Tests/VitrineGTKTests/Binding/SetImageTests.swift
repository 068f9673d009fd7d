import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineTesting

@testable import VitrineGTK

/// `widget.vitrine.setImage` in windows.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct SetImageTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// What completions were called with, a word each.
    @MainActor private final class Ends {
        var words: [String] = []

        func note(_ result: Result<ImageResponse, SetImageError>) {
            switch result {
            case .success(let response): words.append(response.source.rawValue)
            case .failure(.nothingToLoad): words.append("nothing to load")
            case .failure(.noPlace(let name)): words.append("no place in \(name)")
            case .failure(.load(let error)):
                words.append(error.isCancelled ? "cancelled" : "failed")
            }
        }
    }

    private let ends = Ends()

    // MARK: - Widgets

    enum Kind: CaseIterable {
        case picture, image, button, buttonWithImage

        @MainActor func make() -> UnsafeMutablePointer<GtkWidget>? {
            switch self {
            case .picture: return gtk_picture_new()
            case .image:
                let image = gtk_image_new()
                if let image { gtk_image_set_pixel_size(image.opaque, 48) }
                return image
            case .button: return gtk_button_new_with_label("Open")
            case .buttonWithImage:
                let button = gtk_button_new()
                if let button { gtk_button_set_child(button.cast(), gtk_picture_new()) }
                return button
            }
        }
    }

    @Test("V1: a picture in each kind of widget", arguments: Kind.allCases) func kinds(_ kind: Kind)
        async throws
    {
        let url = try stage.serve("a")
        let widget = try #require(kind.make())
        widget.vitrine.setImage(from: url, options: stage.options, completion: ends.note)
        let window = try #require(await present(widget, width: 100, height: 80))
        #expect(await pump { ends.words == ["network"] })
        #expect(await pump { WidgetPixels(widget)?.middle == Stage.red })
        #expect(widget.vitrine.response()?.request.url == url)
        close(window)
    }

    @Test("V5: a button's picture and background load independently") func background() async throws
    {
        let gate = Gate()
        let front = try stage.serve("front", Stage.blue, heldBy: gate)
        let back = try stage.serve("back", Stage.red, width: 64, height: 64)
        let button = try #require(gtk_button_new())
        var options = stage.options
        options.layout = .fixed(PointSize(width: 20, height: 20))
        button.vitrine.setImage(from: front, options: options, completion: ends.note)
        options.layout = ImageLayout.none
        options.contentFit = .cover
        button.vitrine.setImage(
            from: back, slot: .background, options: options, completion: ends.note)
        let window = try #require(await present(button, width: 120, height: 80))
        #expect(await pump { ends.words.count == 1 })
        #expect(await pump { WidgetPixels(button)?[8, 40] == Stage.red })
        button.vitrine.cancelImageLoad(in: .background)
        gate.open()
        #expect(await pump { ends.words.count == 2 })
        #expect(ends.words == ["network", "network"])
        #expect(await pump { WidgetPixels(button)?.middle == Stage.blue })
        #expect(WidgetPixels(button)?[8, 40] == Stage.red)
        close(window)
    }

    @Test("V1: a widget without a place says so, and a slot of one's own helps") func places()
        async throws
    {
        let url = try stage.serve("a")
        let entry = try stage.held(gtk_entry_new())
        for _ in 0..<2 {
            entry.vitrine.setImage(from: url, options: stage.options, completion: ends.note)
        }
        let label = try stage.held(gtk_label_new("no"))
        label.vitrine.setImage(
            from: url, slot: .background, options: stage.options, completion: ends.note)
        #expect(
            ends.words == ["no place in GtkEntry", "no place in GtkEntry", "no place in GtkLabel"])
        g_object_unref(label)
        ends.words = []

        let icon = ImageSlot.paintable("icon") { entry, paintable in
            gtk_entry_set_icon_from_paintable(entry.cast(), GTK_ENTRY_ICON_PRIMARY, paintable)
        }
        entry.vitrine.setImage(
            from: url, slot: icon, options: stage.options, completion: ends.note)
        let window = try #require(await present(entry, width: 200, height: 40))
        #expect(await pump { ends.words == ["network"] })
        #expect(
            gtk_entry_get_icon_paintable(entry.cast(), GTK_ENTRY_ICON_PRIMARY)
                == entry.vitrine.paintable(in: icon)?.pointer)
        close(window)
        g_object_unref(entry)
    }

    private final class LabelTarget: ImageTarget {
        let label: UnsafeMutablePointer<GtkWidget>
        init(_ label: UnsafeMutablePointer<GtkWidget>) { self.label = label }

        func show(_ content: ImageTargetContent) {
            let text =
                switch content {
                case .nothing: ""
                case .placeholder: "…"
                case .preview: "preview"
                case .picture(let response, _): "\(response.image.pixelSize.width)"
                case .failure: "failed"
                }
            gtk_label_set_text(label.opaque, text)
        }
    }

    @Test("V6: a target of one's own, in any widget") func ownTarget() async throws {
        let url = try stage.serve("a", width: 23)
        let missing = try stage.url("missing")
        let label = try #require(gtk_label_new(""))
        let target = LabelTarget(label)
        label.vitrine.setImage(from: url, on: target, named: "text", options: stage.options)
        let window = try #require(await present(label, width: 100, height: 80))
        func text() -> String { String(cString: gtk_label_get_text(label.opaque)) }
        #expect(await pump { text() == "23" })
        label.vitrine.setImage(from: missing, on: target, named: "text", options: stage.options)
        #expect(await pump { text() == "failed" })
        label.vitrine.setImage(from: URL?.none, on: target, named: "text")
        #expect(text() == "…")
        close(window)
    }

    // MARK: - Rules

    @Test("V4, promise 10: what is in memory shows in the same call, and only that") func memory()
        async throws
    {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try stage.held(gtk_picture_new())
        var options = stage.options
        options.decodesAtShownSize = false
        _ = Task { gate.open() }
        _ = try await stage.loader.image(from: url)
        picture.vitrine.setImage(
            from: url, placeholder: .icon("image-loading-symbolic"), transition: .crossDissolve(),
            options: options, completion: ends.note)
        #expect(ends.words == ["memory"])
        #expect(picture.vitrine.paintable()?.content.image?.pixelSize.width == 40)
        #expect(stage.transport.requests.count == 1)
        g_object_unref(picture)
    }

    @Test("V2, V3: the placeholder after the grace period, then the picture with its transition")
    func slow() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let blue = Pictures.solid(Stage.blue, 40, 40)
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 80))
        picture.vitrine.setImage(
            from: url, placeholder: .picture(blue), transition: .crossDissolve(.seconds(20)),
            options: stage.options, completion: ends.note)
        #expect(picture.vitrine.paintable()?.content.isEmpty == true)
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.blue })
        gate.open()
        #expect(await pump { ends.words == ["network"] })
        #expect(picture.vitrine.paintable()?.isMoving == true)
        close(window)
    }

    @Test("V2: every kind of placeholder") func placeholders() async throws {
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 80))
        let file = FileManager.default.temporaryDirectory.appending(
            path: "vitrine-\(UUID().uuidString).png")
        try TestPicture.solid(Stage.blue).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let texture = try #require(
            ImageTexture.shared(for: Pictures.solid(Stage.blue, 8, 8)))
        func shown() -> ImageContent? { picture.vitrine.paintable()?.content }
        for placeholder in [
            Placeholder.paintable(texture.pointer), .file(file.path),
            .picture(Pictures.solid(Stage.blue, 8, 8)),
        ] {
            picture.vitrine.setImage(from: URL?.none, placeholder: placeholder)
            #expect(await pump { WidgetPixels(picture)?.middle == Stage.blue })
            picture.vitrine.setImage(from: URL?.none)
            #expect(shown()?.isEmpty == true)
        }
        picture.vitrine.setImage(from: URL?.none, placeholder: .icon("image-missing"))
        #expect(shown()?.isEmpty == false)
        for missing in [Placeholder.resource("/no/such/resource"), .file("/no/such/file")] {
            picture.vitrine.setImage(from: URL?.none, placeholder: missing, completion: ends.note)
            #expect(shown()?.isEmpty == true)
        }
        #expect(ends.words == ["nothing to load", "nothing to load"])
        picture.vitrine.setImage(
            from: URL?.none,
            placeholder: .resource("/org/gtk/libgtk/icons/16x16/actions/list-add.png"))
        close(window)
    }

    @Test("V2: the picture for failures, else the placeholder") func failure() async throws {
        let missing = try stage.url("missing")
        let red = Placeholder.picture(Pictures.solid(Stage.red, 8, 8))
        let blue = Placeholder.picture(Pictures.solid(Stage.blue, 8, 8))
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 80))
        picture.vitrine.setImage(
            from: missing, placeholder: blue, failureImage: red, options: stage.options,
            completion: ends.note)
        #expect(await pump { ends.words == ["failed"] })
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.red })
        picture.vitrine.setImage(
            from: missing, placeholder: blue, options: stage.options, completion: ends.note)
        #expect(await pump { ends.words.count == 2 })
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.blue })
        close(window)
    }

    @Test("V9, promise 27: loads wait for the widget to be shown, and stop when it is hidden")
    func shown() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try #require(gtk_picture_new())
        picture.vitrine.setImage(from: url, options: stage.options, completion: ends.note)
        await stage.loader.waitUntilIdle()
        #expect(stage.transport.requests.isEmpty)
        let window = try #require(await present(picture, width: 100, height: 80))
        #expect(await pump { stage.transport.active == 1 })
        gtk_widget_set_visible(picture, 0)
        #expect(await pump { stage.transport.active == 0 })
        #expect(ends.words == [], "it is wanted still")
        gtk_widget_set_visible(picture, 1)
        gate.open()
        #expect(await pump { picture.vitrine.response() != nil })
        #expect(ends.words == ["network"])

        let early = try stage.held(gtk_picture_new())
        var options = stage.options
        options.whenHidden = .loads
        early.vitrine.setImage(
            from: try stage.serve("early"), options: options, completion: ends.note)
        #expect(await pump { ends.words.last == "network" })
        g_object_unref(early)
        close(window)
    }

    @Test("V4: cancelled, and set again") func cancelling() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 80))
        picture.vitrine.setImage(from: url, options: stage.options, completion: ends.note)
        #expect(await pump { stage.transport.active == 1 })
        picture.vitrine.cancelImageLoad()
        #expect(ends.words == ["cancelled"])
        gate.open()
        picture.vitrine.setImage(from: url, options: stage.options, completion: ends.note)
        #expect(await pump { ends.words == ["cancelled", "network"] })
        close(window)
    }

    // MARK: - Options

    @Test("V8, L11: loader and options of a subtree; the nearest says; one's own views read them")
    func subtree() async throws {
        let other = ScriptedTransport()
        let url = try stage.serve("a")
        other.answer(url, with: .bytes(try TestPicture.solid(Stage.blue)))
        let window = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let inner = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let outerPicture = try #require(gtk_picture_new())
        let innerPicture = try #require(gtk_picture_new())
        var options = ImageOptions()
        options.loader = stage.loader
        options.transition = .zoom()
        options.layout = .fixed(PointSize(width: 30, height: 30))
        window.vitrine.options = options
        var innerOptions = ImageOptions()
        innerOptions.loader = .scripted(other)
        innerOptions.gracePeriod = .milliseconds(5)
        // Before they are put together: what counts is where they are when they load.
        for picture in [outerPicture, innerPicture] {
            picture.vitrine.setImage(from: url, completion: ends.note)
        }
        inner.vitrine.options = innerOptions
        gtk_box_append(window.cast(), outerPicture)
        gtk_box_append(window.cast(), inner)
        gtk_box_append(inner.cast(), innerPicture)
        let effective = innerPicture.vitrine.effectiveOptions
        #expect(effective.loader === innerOptions.loader && effective.transition?.isNone == false)
        #expect(effective.gracePeriod == .milliseconds(5) && effective.previous == .cleared)
        #expect(outerPicture.vitrine.effectiveOptions.gracePeriod == .milliseconds(40))
        #expect(innerPicture.vitrine.options.loader == nil)

        let shown = try #require(await present(window, width: 100, height: 80))
        #expect(await pump { ends.words.count == 2 })
        #expect(await pump { WidgetPixels(outerPicture)?.middle == Stage.red })
        #expect(await pump { WidgetPixels(innerPicture)?.middle == Stage.blue })
        close(shown)
    }

    @Test("V8: a policy for a subtree") func policy() async throws {
        let url = try stage.serve("a")
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 80))
        var options = stage.options
        options.cachePolicy = .cacheOnly
        gtk_widget_get_parent(picture)?.vitrine.options = options
        picture.vitrine.setImage(from: url, completion: ends.note)
        #expect(await pump { ends.words == ["failed"] })
        #expect(stage.transport.requests.isEmpty)
        close(window)
    }

    @Test("V12: the alternative text is the name and the description; busy while it loads")
    func accessibility() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try #require(gtk_picture_new())
        picture.vitrine.alternativeText = "A red square"
        let window = try #require(await present(picture, width: 100, height: 80))
        #expect(cgtk_check_label(picture.opaque, "A red square") == nil)
        #expect(cgtk_check_description(picture.opaque, "A red square") == nil)
        #expect(picture.vitrine.alternativeText == "A red square")
        picture.vitrine.setImage(from: url, options: stage.options)
        #expect(await pump { stage.transport.active == 1 })
        #expect(cgtk_check_busy(picture.opaque, 1) == nil)
        gate.open()
        #expect(await pump { picture.vitrine.response() != nil })
        #expect(cgtk_check_busy(picture.opaque, 0) == nil)
        picture.vitrine.alternativeText = nil
        #expect(picture.vitrine.alternativeText == nil)
        #expect(gtk_picture_get_alternative_text(picture.opaque) == nil)
        close(window)
    }
}
