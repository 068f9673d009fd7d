import Testing

@testable import Vitrine

@Suite struct RemoteImageLifeTests {
    typealias Life = RemoteImageLife<String, Int, Character, Bool, Int>

    enum Event: Sendable {
        case set(String?)
        case load, retry, cancel
        case advance(Int, Int)
        case preview(Int, Character)
        case succeeded(Int), failed(Int), missed(Int), cancelledByOthers(Int)

        func happen(to life: inout Life) -> [Life.Action] {
            switch self {
            case .set(let key): life.set(key)
            case .load: life.load()
            case .retry: life.retry()
            case .cancel: life.cancel()
            case .advance(let run, let progress): life.advance(run, progress)
            case .preview(let run, let preview): life.preview(run, preview)
            case .succeeded(let run): life.end(run, .succeeded(true))
            case .failed(let run): life.end(run, .failed(7))
            case .missed(let run): life.end(run, .missed)
            case .cancelledByOthers(let run): life.end(run, .cancelled)
            }
        }
    }

    struct Row: CustomStringConvertible, Sendable {
        let description: String
        /// Each event with what is to be done and what is to be seen then.
        let steps: [(Event, [Life.Action], String)]
    }

    static let table: [Row] = [
        Row(
            description: "from nothing to the picture",
            steps: [
                (.load, [], "empty"), (.set("a"), [.start(1), .show], "loading"),
                (.advance(1, 10), [.show], "loading 10"),
                (.preview(1, "x"), [.show], "loading 10 x"),
                (.advance(1, 20), [.show], "loading 20 x"), (.succeeded(1), [.show], "success"),
                (.advance(1, 30), [], "success"), (.succeeded(1), [], "success"),
            ]),
        Row(
            description: "what is set before it is to be loaded waits",
            steps: [
                (.set("a"), [.show], "empty"), (.set("b"), [.show], "empty"),
                (.load, [.start(1), .show], "loading"), (.load, [], "loading"),
            ]),
        Row(
            description: "the same again changes nothing, whatever its state",
            steps: [
                (.set("a"), [.show], "empty"), (.load, [.start(1), .show], "loading"),
                (.set("a"), [], "loading"), (.load, [], "loading"),
                (.failed(1), [.show], "failure"),
                (.set("a"), [], "failure"), (.load, [], "failure"),
                (.retry, [.start(2), .show], "loading"), (.retry, [], "loading"),
                (.succeeded(2), [.show], "success"), (.set("a"), [], "success"),
                (.load, [], "success"), (.retry, [], "success"),
            ]),
        Row(
            description: "another one takes its place, and the old one is not heard any more",
            steps: [
                (.load, [], "empty"), (.set("a"), [.start(1), .show], "loading"),
                (.set("b"), [.cancel, .start(2), .show], "loading"),
                (.advance(1, 5), [], "loading"), (.preview(1, "x"), [], "loading"),
                (.cancelledByOthers(1), [], "loading"), (.succeeded(1), [], "loading"),
                (.succeeded(2), [.show], "success"), (.set("a"), [.start(3), .show], "loading"),
            ]),
        Row(
            description: "nothing shows nothing, and the next one loads",
            steps: [
                (.load, [], "empty"), (.set("a"), [.start(1), .show], "loading"),
                (.set(nil), [.cancel, .show], "empty"), (.load, [], "empty"), (.retry, [], "empty"),
                (.set("a"), [.start(2), .show], "loading"), (.succeeded(2), [.show], "success"),
                (.set(nil), [.show], "empty"),
            ]),
        Row(
            description: "what is given up can be had again; what is there stays",
            steps: [
                (.set("a"), [.show], "empty"), (.cancel, [], "empty"),
                (.load, [.start(1), .show], "loading"), (.cancel, [.cancel, .show], "empty"),
                (.cancel, [], "empty"), (.set("b"), [.show], "empty"),
                (.load, [.start(2), .show], "loading"), (.succeeded(2), [.show], "success"),
                (.cancel, [], "success"), (.set("c"), [.show], "empty"),
            ]),
        Row(
            description: "a miss of the caches is no failure, and no circle",
            steps: [
                (.set("a"), [.show], "empty"), (.load, [.start(1), .show], "loading"),
                (.missed(1), [.show], "missed"), (.load, [], "missed"), (.set("a"), [], "missed"),
                (.retry, [.start(2), .show], "loading"),
            ]),
        Row(
            description: "what others have cancelled can be loaded again",
            steps: [
                (.set("a"), [.show], "empty"), (.load, [.start(1), .show], "loading"),
                (.cancelledByOthers(1), [.show], "empty"), (.load, [.start(2), .show], "loading"),
            ]),
        Row(
            description: "trying again loads what was not asked for yet",
            steps: [(.set("a"), [.show], "empty"), (.retry, [.start(1), .show], "loading")]),
    ]

    @Test("L8: what a remote image does, as a table", arguments: table)
    func rows(row: Row) {
        var life = Life()
        for (place, (event, expected, seen)) in row.steps.enumerated() {
            let actions = event.happen(to: &life)
            #expect(actions == expected, "step \(place)")
            #expect(text(life.phase) == seen, "step \(place)")
        }
    }

    private func text(_ phase: Life.Phase) -> String {
        switch phase {
        case .idle: "empty"
        case .loading(_, let progress, let preview):
            (["loading"] + [progress.map { "\($0)" }, preview.map { "\($0)" }].compactMap { $0 })
                .joined(separator: " ")
        case .missed: "missed"
        case .failed: "failure"
        case .succeeded: "success"
        }
    }
}
