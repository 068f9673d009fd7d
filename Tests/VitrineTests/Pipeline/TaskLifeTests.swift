import Testing

@testable import Vitrine

@Suite struct TaskLifeTests {
    private func text(_ answer: TaskLife<Int, Double, String>.Answer) -> String {
        switch answer {
        case .news(.progress(let value)): "progress \(value)"
        case .news(.preview(let value)): "preview \(value)"
        case .news(.end(let value)): "end \(value)"
        case .wait: "wait"
        case .over: "over"
        }
    }

    @Test("promise 8: a listener hears the newest, never a backlog, and the end")
    func newestOnly() {
        var life = TaskLife<Int, Double, String>()
        let listener = life.addListener()
        let answer1 = life.next(for: listener)
        #expect(text(answer1) == "wait")
        for value in 1...5 { _ = life.advance(value) }
        let answer3 = life.next(for: listener)
        #expect(text(answer3) == "progress 5")
        let answer4 = life.next(for: listener)
        #expect(text(answer4) == "wait")
        let answer5 = life.advance(6)
        #expect(answer5)
        let answer6 = life.finish("done")
        #expect(answer6)
        let answer7 = life.next(for: listener)
        #expect(text(answer7) == "end done")
        let answer8 = life.next(for: listener)
        #expect(text(answer8) == "over")
    }

    @Test("promise 5: the first end stands") func oneEnd() {
        var life = TaskLife<Int, Double, String>()
        let answer9 = life.finish("first")
        #expect(answer9)
        let answer10 = life.finish("second")
        #expect(!answer10)
        let answer11 = life.advance(1)
        #expect(!answer11)
        #expect(life.end == "first")
    }

    @Test("promise 8: many may listen, also late") func manyListeners() {
        var life = TaskLife<Int, Double, String>()
        let early = life.addListener()
        _ = life.advance(1)
        let late = life.addListener()
        let answer12 = life.next(for: early)
        #expect(text(answer12) == "progress 1")
        let answer13 = life.next(for: late)
        #expect(text(answer13) == "progress 1")
        _ = life.finish("done")
        let latest = life.addListener()
        for listener in [early, late, latest] {
            #expect(life.hasNews(for: listener))
            let answer14 = life.next(for: listener)
            #expect(text(answer14) == "end done")
        }
        life.removeListener(early)
        let answer15 = life.next(for: early)
        #expect(text(answer15) == "over")
    }

    @Test("promise 8: progress and preview come in their order, each the newest") func previews() {
        var life = TaskLife<Int, Double, String>()
        let listener = life.addListener()
        var heard: [String] = []
        func hear(_ count: Int) {
            for _ in 0..<count { heard.append(text(life.next(for: listener))) }
        }
        _ = life.advance(1)
        _ = life.show(1.5)
        _ = life.show(2.5)
        hear(3)
        _ = life.show(3.5)
        _ = life.advance(4)
        hear(3)
        _ = life.show(4.5)
        hear(1)
        _ = life.show(5.5)
        _ = life.finish("done")
        let isLate = life.show(6.5)
        #expect(!isLate)
        hear(2)
        #expect(
            heard == [
                "progress 1", "preview 2.5", "wait", "preview 3.5", "progress 4", "wait",
                "preview 4.5", "end done", "over",
            ])
    }
}
