import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineTesting

@testable import VitrineGTK

/// What happens to widgets while their pictures load.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct WidgetLifeTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// What must be gone in the end.
    private struct Remains {
        weak var load: ViewLoad?
        weak var image: WidgetImage?
        var paintable: WeakReference<GObject>?
        var widget: WeakWidget

        @MainActor init(_ widget: UnsafeMutablePointer<GtkWidget>) {
            image = WidgetImages.existing(of: widget)?.image(named: ImageSlot.picture.name)
            load = image?.load
            paintable = widget.vitrine.paintable().map { WeakReference($0.pointer.cast()) }
            self.widget = WeakWidget(widget)
        }

        @MainActor var areGone: Bool {
            load == nil && image == nil && paintable?.with { _ in true } != true
                && widget.with { _ in true } != true
        }
    }

    @Test("promise 27: 200 windows opened and closed while they load leave nothing") func windows()
        async throws
    {
        let gate = Gate()
        let held = try stage.serve("held", heldBy: gate)
        let quick = try stage.serve("quick", width: 256, height: 256)
        var remains: [Remains] = []
        var ends = 0
        for number in 0..<200 {
            let picture = try #require(gtk_picture_new())
            picture.vitrine.setImage(
                from: number % 2 == 0 ? held : quick, placeholder: .icon("image-loading-symbolic"),
                transition: .crossDissolve(), options: stage.options
            ) { _ in ends += 1 }
            let window = try #require(await present(picture, width: 64, height: 64))
            remains.append(Remains(picture))
            // Some before the first frame, some while they load, some when they are there.
            if number % 3 == 0 { #expect(await pump { stage.transport.requests.count > 0 }) }
            if number % 10 == 1 { #expect(await pump { ends > number }) }
            close(window)
        }
        #expect(ends == 200)
        #expect(await pump { remains.allSatisfy(\.areGone) })
        #expect(await pump { stage.transport.active == 0 })
        #expect(stage.loader.downloads.active == 0)
        var request = ImageRequest(quick)
        request.targetSize = .fit(width: 64, height: 64)
        let image = try #require(stage.loader.cachedImage(for: request))
        #expect(
            ImageTexture.existing(for: image.posterFrame) == nil, "memory holds the pixels only")
    }

    @Test("promise 27: a widget destroyed while it is held by others stays inert") func destroyed()
        async throws
    {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try stage.held(gtk_image_new())
        var words: [String] = []
        func set() {
            picture.vitrine.setImage(from: url, options: stage.options) { result in
                if case .failure(let error) = result { words.append(error.isCancelled ? "c" : "f") }
            }
        }
        set()
        let window = try #require(await present(picture, width: 64, height: 64))
        #expect(await pump { stage.transport.active == 1 })
        close(window)
        #expect(words == [], "it may be shown again")
        #expect(await pump { stage.transport.active == 0 })
        set()
        #expect(words == [])
        g_object_run_dispose(picture.cast())
        #expect(words == ["c", "c"])
        set()
        #expect(words == ["c", "c", "c"])
        gate.open()
        let remains = Remains(picture)
        g_object_unref(picture)
        #expect(remains.areGone)
    }

    @Test("promise 27: a completion may take the widget out of its window") func completing()
        async throws
    {
        let box = try stage.held(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let window = try #require(await present(box, width: 200, height: 200))
        let gate = Gate()
        let url = try stage.serve("slow", heldBy: gate)
        for isNothing in [true, false] {
            let picture: Widget = gtk_picture_new()
            gtk_widget_set_size_request(picture, 40, 40)
            gtk_box_append(box.cast(), picture)
            let remains = WeakWidget(picture)
            picture.vitrine.setImage(
                from: url, placeholder: .icon("image-loading-symbolic"), options: stage.options
            ) { _ in gtk_box_remove(box.cast(), picture) }
            #expect(
                await pump { picture.vitrine.paintable()?.content.isEmpty == false },
                "the placeholder is there")
            let criticals = try await Criticals.count {
                let next = isNothing ? nil : try stage.serve("next")
                picture.vitrine.setImage(
                    from: next, placeholder: .icon("image-missing-symbolic"),
                    options: stage.options)
                #expect(await pump { remains.with { _ in true } == nil })
            }
            #expect(criticals == 0)
        }
        gate.open()
        close(window)
        g_object_unref(box)
    }

    @Test("promise 27: who binds a row may give its item another one") func rebinding() async throws
    {
        let url = try stage.serve("row")
        let names: OpaquePointer = gtk_string_list_new(nil)
        gtk_string_list_append(names, "one")
        let factory = ImageListFactory(
            size: PointSize(width: 40, height: 40), loader: stage.loader
        ) { _, item in
            gtk_list_item_set_child(item, gtk_label_new("another"))
            return ImageRequest(url)
        }
        let list: Widget = gtk_list_view_new(gtk_no_selection_new(names), factory.retained)
        let criticals = try await Criticals.count {
            let window = try #require(await present(list, width: 200, height: 200))
            #expect(await pump { Widgets.texts(in: list) == ["another"] })
            close(window)
        }
        #expect(criticals == 0)
    }

    @Test("V4: a widget that moves to another parent goes on") func moved() async throws {
        let gate = Gate()
        let url = try stage.serve("a", heldBy: gate)
        let picture = try stage.held(gtk_picture_new())
        let first = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let second = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        gtk_widget_set_size_request(picture, 40, 40)
        gtk_box_append(first.cast(), picture)
        picture.vitrine.setImage(from: url, options: stage.options)
        let one = try #require(await present(first, width: 64, height: 64))
        let two = try #require(await present(second, width: 64, height: 64))
        #expect(await pump { stage.transport.active == 1 })
        gtk_box_remove(first.cast(), picture)
        #expect(await pump { stage.transport.active == 0 })
        gtk_box_append(second.cast(), picture)
        gate.open()
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.red })
        close(one)
        close(two)
        g_object_unref(picture)
    }

    @Test("V4: another picture again and again ends in the last") func quickly() async throws {
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 64, height: 64))
        var ends = 0
        let last = try stage.serve("last", Stage.blue)
        for number in 0..<100 {
            let url = try stage.serve("\(number)")
            picture.vitrine.setImage(from: url, options: stage.options) { _ in ends += 1 }
        }
        picture.vitrine.setImage(from: last, options: stage.options) { _ in ends += 1 }
        #expect(await pump { ends == 101 })
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.blue })
        close(window)
    }
}
