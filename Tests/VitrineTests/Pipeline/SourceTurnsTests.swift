import Testing

@testable import Vitrine

@Suite struct SourceTurnsTests {
    private typealias Turns = SourceTurns<Int, String>

    private func story(_ turns: Turns, _ failures: [(String, isFinal: Bool)]) -> [String] {
        var turns = turns
        return failures.map { failure, isFinal in
            switch turns.failed(failure, isFinal: isFinal) {
            case .load(let source): "load \(source)"
            case .fail(let failure): "fail \(failure)"
            }
        }
    }

    @Test("R14: which source is tried, and which failure is told, as a table") func table() {
        #expect(story(Turns(alternatives: []), [("a", false)]) == ["fail a"])
        #expect(
            story(Turns(alternatives: [2, 3]), [("a", false), ("b", false), ("c", false)])
                == ["load 2", "load 3", "fail a"])
        #expect(story(Turns(alternatives: [2, 3]), [("a", true)]) == ["fail a"])
        #expect(
            story(Turns(alternatives: [2, 3]), [("a", false), ("b", true)])
                == ["load 2", "fail b"], "what ends all is told, and not what came before")
        #expect(
            story(Turns(alternatives: []), [("a", false), ("b", false)]) == ["fail a", "fail a"])
    }
}
