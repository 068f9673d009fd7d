import CGTK
import DisplaySupport
import Testing
import VitrineImaging
import VitrineTesting

@testable import VitrineGTK

/// Promise 27 for what is more than one picture in one widget: windows that go in the midst of it leave
/// nothing. `WidgetLifeTests` has that of single widgets.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10))) struct LeftoverTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// Four frames of a tenth of a second; not opaque, so that each has to be converted.
    private func animation() throws -> Data {
        let colors = [Stage.red, Stage.blue, Stage.red, Stage.blue]
        let frames = colors.map { color in
            var color = color
            color.alpha = 100
            return Pictures.solid(color, 96, 96).posterFrame
        }
        let image = try RasterImage(
            frames: frames, durations: Array(repeating: .milliseconds(100), count: 4))
        return try image.encoded(as: .webp)
    }

    @Test("promise 27, V10: 200 windows closed while animations arrive and play leave nothing")
    func animations() async throws {
        let bytes = try animation()
        let gate = Gate()
        let held = try stage.url("held")
        let quick = try stage.url("quick")
        let answer = ScriptedAnswer.bytes(bytes, headers: ["Cache-Control": "max-age=600"])
        stage.transport.answer(held, with: answer.held(by: gate))
        stage.transport.answer(quick, with: answer)
        let leftovers = Leftovers()
        var ends = 0
        var moved = 0
        for number in 0..<200 {
            let picture = try #require(gtk_picture_new())
            picture.vitrine.setImage(
                from: number % 2 == 0 ? held : quick, transition: .slide(from: .left),
                options: stage.options
            ) { _ in ends += 1 }
            let window = try #require(await present(picture, width: 96, height: 96))
            leftovers.watch(picture)
            if number == 0 {
                #expect(leftovers.kinds.isSuperset(of: ["binding", "load", "paintable"]))
            }
            // Some while they load, some while they play.
            if number % 10 == 1 {
                #expect(await pump { picture.vitrine.paintable()?.isMoving == true })
                moved += 1
            }
            close(window)
        }
        #expect(ends == 200 && moved == 20)
        #expect(await pump { leftovers.kinds.isEmpty }, "\(leftovers.kinds)")
        #expect(await pump { stage.transport.active == 0 })
        #expect(stage.loader.downloads.active == 0 && stage.loader.downloads.waiting == 0)
    }

    @Test(
        "promise 27, V7: 200 windows closed while a URLImage is in each of its states leave nothing"
    )
    func declarative() async throws {
        let gate = Gate()
        let held = try stage.serve("held", heldBy: gate)
        let quick = try stage.serve("quick", width: 64, height: 64)
        let missing = try stage.url("missing")
        let leftovers = Leftovers()
        for number in 0..<200 {
            let url = [held, quick, missing][number % 3]
            let widget = URLImage(url).makeWidget()
            widget.vitrine.options = stage.options
            let window = try #require(await present(widget, width: 96, height: 96))
            // Some at once, some when there is something to be seen.
            if number % 10 < 3 {
                #expect(
                    await pump {
                        url == quick
                            ? Widgets.paintable(in: widget)?.content.image != nil
                            : url == missing ? Widgets.button(in: widget) != nil : true
                    }, "\(url.path)")
            }
            leftovers.watch(widget, decidedBy: URLImageModel.of(widget))
            if number == 0 { #expect(leftovers.kinds.isSuperset(of: ["model", "widget"])) }
            close(window)
        }
        #expect(await pump { leftovers.kinds.isEmpty }, "\(leftovers.kinds)")
        #expect(await pump { stage.transport.active == 0 })
        #expect(stage.loader.downloads.active == 0 && stage.loader.downloads.waiting == 0)
    }

    @Test(
        "promise 27, V13: windows with lists closed while rows load, and are prefetched, leave nothing"
    )
    func lists() async throws {
        let gate = Gate()
        var urls: [URL] = []
        for number in 0..<300 {
            // Of each ten one never comes.
            urls.append(try stage.serve("\(number)", heldBy: number % 10 == 0 ? gate : nil))
        }
        let leftovers = Leftovers()
        weak var lastFactory: ImageListFactory?
        for number in 0..<40 {
            var rows: [WeakWidget] = []
            var factory: ImageListFactory? = ImageListFactory(
                size: PointSize(width: 64, height: 64), loader: stage.loader,
                placeholder: .icon("image-loading-symbolic"),
                makeRow: {
                    let picture = gtk_picture_new().unsafelyUnwrapped
                    rows.append(WeakWidget(picture))
                    return (picture, picture)
                }
            ) { _, item in
                ImageRequest(urls[Int(gtk_list_item_get_position(item)) % urls.count])
            }
            lastFactory = factory
            let model = try #require(gtk_string_list_new(nil))
            for url in urls { gtk_string_list_append(model, url.absoluteString) }
            let retained = try #require(factory?.retained)
            let grid = try #require(gtk_grid_view_new(gtk_no_selection_new(model), retained))
            let scrolled = try #require(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(scrolled.opaque, grid)
            let window = try #require(await present(scrolled, width: 260, height: 200))
            let adjustment = try #require(gtk_scrolled_window_get_vadjustment(scrolled.opaque))
            // Some are closed at once, others when rows have come and more are on their way.
            if number % 4 == 0 { #expect(await pump { stage.transport.active > 0 }) }
            gtk_adjustment_set_value(adjustment, Double(number * 37))
            if number % 4 == 0 { _ = await pump(within: 0.05) { false } }
            for row in rows { row.with { leftovers.watch($0) } }
            if number == 0 { #expect(leftovers.kinds.isSuperset(of: ["binding", "widget"])) }
            factory = nil
            close(window)
        }
        #expect(leftovers.count > 400)
        #expect(await pump { leftovers.kinds.isEmpty }, "\(leftovers.kinds)")
        #expect(lastFactory == nil)
        #expect(await pump { stage.transport.active == 0 })
        #expect(await pump { stage.loader.downloads.active == 0 })
    }
}
