import CGTK
import DisplaySupport
import Foundation
import Observation
import Testing
import VitrineTesting

@testable import VitrineGTK

/// What is left of a `URLImage`, what it observes, and how much room it takes.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct URLImageLifeTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    /// What must be gone in the end.
    private struct Remains {
        weak var model: URLImageModel?
        weak var load: ViewLoad?
        weak var slotValue: Token?
        var widgets: [WeakWidget]
        var paintable: WeakReference<GObject>?

        @MainActor init(_ widget: Widget, _ token: Token) {
            model = URLImageModel.of(widget)
            load = WidgetImages.existing(of: widget)?.image(forTarget: URLImageModel.name)?.load
            slotValue = token
            widgets = Widgets.all(in: widget).map { WeakWidget($0) }
            paintable = Widgets.paintable(in: widget).map { WeakReference($0.pointer.cast()) }
        }

        @MainActor var areGone: Bool {
            model == nil && load == nil && slotValue == nil
                && widgets.allSatisfy { $0.with { _ in true } != true }
                && paintable?.with { _ in true } != true
        }
    }

    /// Held by the closures of the slots.
    private final class Token {
        var text: String { "held" }
    }

    @Test("promise 27: 200 windows closed in every state leave nothing") func windows() async throws
    {
        let gate = Gate()
        let urls: [URL?] = [
            nil, try stage.serve("held", heldBy: gate), try stage.url("missing"),
            try stage.serve("quick", width: 256, height: 256),
        ]
        var remains: [Remains] = []
        for number in 0..<200 {
            let token = Token()
            let view = URLImage(urls[number % 4]) {
                gtk_label_new(token.text)
            } inProgress: { progress, preview in
                URLImageDefaults.inProgress(progress, preview)
                gtk_label_new(token.text)
            } failure: { error, retry in
                URLImageDefaults.failure(error, retry)
                gtk_label_new(token.text)
            } content: { picture, _ in
                picture
                gtk_label_new(token.text)
            }
            let widget = view.loader(stage.loader).transition(.crossDissolve()).makeWidget()
            let window = try #require(await present(widget, width: 64, height: 64))
            // Some when they have come to their state, the others on their way.
            if number % 8 < 4 {
                #expect(await pump { Widgets.texts(in: widget).contains("held") }, "\(number)")
            }
            remains.append(Remains(widget, token))
            close(window)
        }
        #expect(await pump { remains.allSatisfy(\.areGone) })
        #expect(await pump { stage.transport.active == 0 })
        #expect(stage.loader.downloads.active == 0)
    }

    @Test("promise 27: one that others hold goes on, and leaves nothing when they let it go")
    func held() async throws {
        weak var weakToken: Token?
        let url = try stage.serve("a")
        let weak: WeakWidget
        do {
            let token = Token()
            weakToken = token
            let widget = URLImage(url) { _ in gtk_label_new(token.text) }.loader(stage.loader)
                .makeWidget()
            weak = WeakWidget(widget)
            g_object_ref_sink(widget)
            let window = try #require(await present(widget, width: 64, height: 64))
            #expect(await pump { Widgets.texts(in: widget) == ["held"] })
            close(window)
            URLImage(URL?.none) { gtk_label_new("none") }.update(widget)
            #expect(Widgets.texts(in: widget) == ["none"])
            g_object_unref(widget)
        }
        #expect(weak.with { _ in true } == nil)
        #expect(weakToken == nil)
    }

    /// A slot whose closure takes the widget away.
    enum DyingSlot: String, CaseIterable {
        case empty, inProgress, failure, content, phase
    }

    @Test(
        "promise 27: a closure of a slot may take the widget out of its window, or apart",
        arguments: DyingSlot.allCases, [false, true])
    func dying(slot: DyingSlot, isTakenApart: Bool) async throws {
        let box = try stage.held(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let window = try #require(await present(box, width: 200, height: 200))
        let gate = Gate()
        let url =
            switch slot {
            case .empty: URL?.none
            case .inProgress: try stage.serve("slow", heldBy: gate)
            case .failure: try stage.url("missing")
            case .content, .phase: try stage.serve("there")
            }
        let first = URLImage(try stage.serve("first")) { _ in label("first") }
        let widget = first.loader(stage.loader).makeWidget()
        let remains = WeakWidget(widget)
        gtk_box_append(box.cast(), widget)
        #expect(await pump { Widgets.texts(in: box) == ["first"] })

        func made(_ own: DyingSlot) -> Widget? {
            guard own == slot, remains.with({ _ in true }) == true else { return label("other") }
            g_object_ref(widget)
            gtk_box_remove(box.cast(), widget)
            if isTakenApart { g_object_run_dispose(widget.cast()) }
            g_object_unref(widget)
            return label("made")
        }
        let view =
            slot == .phase
            ? URLImage(url: url) { phase in
                if case .success = phase { made(.phase) } else { label("waits") }
            }
            : URLImage(
                url, empty: { made(.empty) }, inProgress: { _, _ in made(.inProgress) },
                failure: { _, _ in made(.failure) }, content: { _, _ in made(.content) })
        let criticals = try await Criticals.count {
            view.loader(stage.loader).update(widget)
            #expect(await pump { remains.with { _ in true } == nil })
        }
        #expect(criticals == 0)
        #expect(gtk_widget_get_first_child(box) == nil)
        gate.open()
        close(window)
        g_object_unref(box)
    }

    private func label(_ text: String) -> Widget? { Widgets.label(text) }

    // MARK: - Observing

    @Observable @MainActor final class Counter {
        var value = 0
        var other = 0
    }

    @Test("V7: what a widget observes is applied in place, one for many, and ends with it")
    func observing() async throws {
        let counter = Counter()
        let widget = try stage.held(gtk_label_new(nil))
        let inner = try stage.held(gtk_label_new(nil))
        var seen: [Int] = []
        var innerSeen: [Int] = []
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            widget.vitrine.observe {
                counter.value
            } apply: { widget, value in
                withExtendedLifetime(token) { seen.append(value) }
                // It makes another observer, as a slot does, which must not become part of this one.
                if value == 0 {
                    inner.vitrine.observe {
                        counter.other
                    } apply: {
                        innerSeen.append($1)
                    }
                }
            }
        }
        #expect(seen == [0] && innerSeen == [0])
        counter.value = 1
        counter.value = 2
        #expect(await pump { seen == [0, 2] })
        counter.other = 5
        #expect(await pump { innerSeen == [0, 5] })
        #expect(seen == [0, 2])
        g_object_unref(widget)
        #expect(weakToken == nil)
        counter.value = 3
        counter.other = 6
        #expect(await pump { innerSeen == [0, 5, 6] })
        #expect(seen == [0, 2])
        g_object_unref(inner)
    }

    // MARK: - Room

    @Test("V16: a fixed size and an aspect are the same in every state") func layouts() async throws
    {
        let gate = Gate()
        let url = try stage.serve("a", width: 300, height: 90, heldBy: gate)
        for (number, layout) in [
            ImageLayout.fixed(PointSize(width: 120, height: 80)), .aspectRatio(2),
        ].enumerated() {
            let gate = Gate()
            let url = try stage.serve("\(number)", width: 300, height: 90, heldBy: gate)
            let widget = URLImage(URL?.none).layout(layout).makeWidget()
            gtk_widget_set_halign(widget, number == 0 ? GTK_ALIGN_START : GTK_ALIGN_FILL)
            let below: Widget = gtk_label_new("below")
            let column = try Widgets.column(widget, below)
            let window = try #require(await present(column, width: 200, height: 300))
            let height: gint = number == 0 ? 80 : 100
            func isRight() -> Bool { gtk_widget_get_height(widget) == height }
            #expect(isRight(), "\(gtk_widget_get_height(widget))")
            URLImage(url).layout(layout).loader(stage.loader).update(widget)
            #expect(await pump { Widgets.spinner(in: widget) != nil })
            #expect(isRight())
            gate.open()
            #expect(await pump { Widgets.paintable(in: widget)?.content.image != nil })
            #expect(await pump { WidgetPixels(widget)?.middle == Stage.red } && isRight())
            URLImage(try stage.url("missing")).layout(layout).loader(stage.loader).update(widget)
            #expect(await pump { Widgets.button(in: widget) != nil })
            try await Task.sleep(for: .milliseconds(30))
            #expect(isRight())
            close(window)
        }
        withExtendedLifetime((gate, url)) {}
    }

    @Test("V16: layouts whose numbers are none count as none, and nothing traps") func strange()
        async throws
    {
        for layout in [
            ImageLayout.fixed(PointSize(width: .nan, height: 5)),
            .fixed(PointSize(width: 0, height: -4)), .aspectRatio(.nan), .aspectRatio(0),
            .aspectRatio(-2), .aspectRatio(1e-300), .aspectRatio(1e300),
            .fixed(PointSize(width: .infinity, height: 3)), .none,
        ] {
            let widget = URLImage(URL?.none) { gtk_label_new("empty") }.layout(layout).makeWidget()
            let window = try #require(await present(widget, width: 50, height: 50))
            #expect(Widgets.texts(in: widget) == ["empty"])
            close(window)
        }
        let huge = URLImage(URL?.none).layout(.fixed(PointSize(width: 1e300, height: 1e-300)))
            .makeWidget()
        g_object_ref_sink(huge)
        var width: gint = 0
        gtk_widget_measure(huge, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        #expect(width == 16_384)
        let thin = URLImage(URL?.none).aspectRatio(1 / 16_384).makeWidget()
        g_object_ref_sink(thin)
        gtk_widget_measure(thin, GTK_ORIENTATION_VERTICAL, 1000, &width, nil, nil, nil)
        #expect(width == 16_384)
        g_object_unref(huge)
        g_object_unref(thin)
    }

    @Test("V16: an aspect for which a window has no room is no fault, and no height without end")
    func noRoom() async throws {
        for (ratio, heights) in [(0.5, 100...400), (1 / 16_384, 100...16_384), (1e-300, 0...200)] {
            let widget = URLImage(URL?.none) { label("empty") }.aspectRatio(ratio).makeWidget()
            let box = try Widgets.column(widget, try #require(label("below")))
            let criticals = try await Criticals.count {
                let window = try #require(await present(box, width: 200, height: 200))
                #expect(heights.contains(Int(gtk_widget_get_height(widget))), "\(ratio)")
                close(window)
            }
            #expect(criticals == 0, "\(ratio)")
        }
    }

    @Test("V16: what is left of an area") func rooms() {
        func room(_ layout: ImageLayout) -> SlotRoom { SlotRoom(layout, width: 200, height: 100) }
        #expect(room(.natural) == SlotRoom(.none, width: 200, height: 100))
        #expect(room(.fixed(PointSize(width: 50, height: 300))).width == 50)
        #expect(room(.fixed(PointSize(width: 50, height: 300))).height == 100)
        #expect(room(.aspectRatio(1)).width == 100 && room(.aspectRatio(4)).height == 50)
    }
}
