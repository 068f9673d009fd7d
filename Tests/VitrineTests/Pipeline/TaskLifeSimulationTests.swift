import DeterminismSupport
import Testing

@testable import Vitrine

@Suite struct TaskLifeSimulationTests {
    /// What one listener has heard, and what it might hear.
    private struct Listener {
        let id: Int
        var progress = 0
        var preview = 0
        var ends = 0
        var isOver = false
        var isGone = false
    }

    @Test(
        "promises 5, 8: 24,000 events, each listener hears the newest and one end",
        arguments: 1...8 as ClosedRange<UInt64>)
    func everyListener(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var steps = 0
        while steps < 3000 {
            var life = TaskLife<Int, Int, Int>()
            var listeners: [Listener] = []
            var (progress, preview, end) = (0, 0, Int?.none)
            let length = Int.random(in: 1...120, using: &random)
            for step in 0..<length {
                steps += 1
                switch Int.random(in: 0..<12, using: &random) {
                case 0, 1: listeners.append(Listener(id: life.addListener()))
                case 2, 3, 4:
                    let isNews = life.advance(progress + 1)
                    #expect(isNews == (end == nil))
                    if isNews { progress += 1 }
                case 5:
                    let isNews = life.show(preview + 1)
                    #expect(isNews == (end == nil))
                    if isNews { preview += 1 }
                case 6:
                    let isNews = life.showFirst(preview + 1)
                    #expect(isNews == (end == nil && preview == 0))
                    if isNews { preview += 1 }
                case 7 where step > length / 2:
                    let isFirst = life.finish(step)
                    #expect(isFirst == (end == nil))
                    if isFirst { end = step }
                case 8:
                    guard let index = listeners.indices.randomElement(using: &random) else {
                        continue
                    }
                    life.removeListener(listeners[index].id)
                    listeners[index].isGone = true
                default:
                    guard let index = listeners.indices.randomElement(using: &random) else {
                        continue
                    }
                    ask(&life, &listeners[index], progress, preview, end)
                }
                #expect(life.end == end)
            }
            _ = life.finish(-1)
            for index in listeners.indices {
                for _ in 0..<3 {
                    ask(&life, &listeners[index], progress, preview, life.end)
                }
                #expect(
                    listeners[index].ends == (listeners[index].isGone ? 0 : 1)
                        || listeners[index].isGone)
                #expect(listeners[index].isOver)
            }
        }
    }

    private func ask(
        _ life: inout TaskLife<Int, Int, Int>, _ listener: inout Listener, _ progress: Int,
        _ preview: Int, _ end: Int?
    ) {
        let hasNews = life.hasNews(for: listener.id)
        let answer = life.next(for: listener.id)
        switch answer {
        case .news(.progress(let value)):
            #expect(value == progress && value > listener.progress && end == nil)
            listener.progress = value
        case .news(.preview(let value)):
            #expect(value == preview && value > listener.preview && end == nil)
            listener.preview = value
        case .news(.end(let value)):
            #expect(value == end && listener.ends == 0)
            listener.ends += 1
        case .wait:
            #expect(!hasNews && end == nil)
            #expect(listener.progress == progress && listener.preview == preview)
        case .over:
            #expect(listener.isGone || listener.ends == 1)
            listener.isOver = true
        }
        if case .wait = answer {} else { #expect(hasNews) }
        if listener.isGone { #expect(listener.isOver) }
    }
}
