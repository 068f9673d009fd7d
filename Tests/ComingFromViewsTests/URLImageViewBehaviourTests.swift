import CGTK
import DisplaySupport
import Testing
import VitrineGTK
import VitrineTesting

/// What users of URLImage rely on in views; each test names its row, and what other tests have is left
/// out.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct URLImageViewBehaviourTests {
    private let wall: Wall

    init() throws { wall = try Wall() }

    /// A label for each state, so that a state that is seen for a moment is made.
    private func view(
        _ url: URL?, _ seen: @escaping @MainActor (String) -> Void
    ) -> URLImage {
        URLImage(url) {
            gtk_label_new(noted("empty", seen))
        } inProgress: { _ in
            gtk_label_new(noted("waiting", seen))
        } failure: { _, _ in
            gtk_label_new(noted("failed", seen))
        } content: { picture in
            let _ = seen("picture")
            picture.contentFit(.contain)
        }
    }

    private func noted(_ word: String, _ seen: (String) -> Void) -> String {
        seen(word)
        return word
    }

    @Test("promise 28, V7: state that changes around a view, and looking away, restart nothing")
    func surroundings() async throws {
        let url = try wall.serve("a")
        var seen: [String] = []
        let widget = try wall.hang(view(url) { seen.append($0) }.makeWidget())
        let window = try await wall.window(with: widget)
        #expect(await pump { seen.last == "picture" })
        seen = []
        for _ in 0..<5 {
            // Each key that is typed makes the view anew, and tabs hide and show it.
            view(url) { seen.append($0) }.update(widget)
            gtk_widget_set_visible(widget, 0)
            _ = await pump(within: 0.02) { false }
            gtk_widget_set_visible(widget, 1)
            _ = await pump(within: 0.02) { false }
        }
        #expect(seen.allSatisfy { $0 == "picture" }, "\(seen)")
        #expect(wall.transport.requests.count == 1)
        gtk_window_destroy(window)
    }

    @Test("promise 25, V7: another URL loads by itself, and back again is there at once")
    func anotherURL() async throws {
        let first = try wall.serve("first")
        let gate = Gate()
        let second = try wall.serve("second", heldBy: gate)
        var seen: [String] = []
        let widget = try wall.hang(view(first) { seen.append($0) }.makeWidget())
        let window = try await wall.window(with: widget)
        #expect(await pump { seen.last == "picture" })
        view(second) { seen.append($0) }.update(widget)
        #expect(await pump { seen.last == "waiting" })
        gate.open()
        #expect(await pump { seen.last == "picture" })
        seen = []
        view(first) { seen.append($0) }.update(widget)
        #expect(seen == ["picture"], "in the same call")
        view(nil) { seen.append($0) }.update(widget)
        #expect(seen == ["picture", "empty"])
        #expect(wall.transport.requests.count == 2)
        gtk_window_destroy(window)
    }

    @Test("promise 10: a sheet or a list that is made anew has its pictures in its first frame")
    func madeAnew() async throws {
        let url = try wall.serve("a")
        for round in 0..<3 {
            var seen: [String] = []
            let widget = try wall.hang(
                view(url) { seen.append($0) }.loader(wall.loader).makeWidget())
            let window = try await wall.window(with: widget)
            #expect(await pump { seen.last == "picture" })
            if round > 0 { #expect(!seen.contains("waiting"), "\(seen)") }
            gtk_window_destroy(window)
        }
        #expect(wall.transport.requests.count == 1)
    }
}
