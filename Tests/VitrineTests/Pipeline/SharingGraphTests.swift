import Testing
import VitrineBase

@testable import Vitrine

@Suite struct SharingGraphTests {
    typealias Graph = SharingGraph<String>

    /// The step that a `start` action names.
    private func started(_ actions: [Graph.Action], _ key: String) throws -> Graph.StepID {
        try #require(
            actions.compactMap { action -> Graph.StepID? in
                if case .start(let id, key, _, _) = action { return id }
                return nil
            }.first)
    }

    @Test("promise 1: equal loads start one step") func sharesTheFirstStep() throws {
        var graph = Graph()
        let first = graph.join(1, path: ["bytes", "decode"], priority: .normal)
        let bytes = try started(first, "bytes")
        #expect(first == [.start(bytes, "bytes", parent: nil, .normal)])
        let answer1 = graph.join(2, path: ["bytes", "decode"], priority: .normal)
        #expect(answer1 == [])

        let next = graph.finished(bytes)
        let decode = try started(next, "decode")
        #expect(next == [.start(decode, "decode", parent: bytes, .normal)])
        let answer2 = graph.finished(decode)
        #expect(
            answer2
                == [.complete([1, 2], decode), .release(decode), .release(bytes)])
        #expect(graph.isEmpty)
    }

    @Test("C15: nobody joins a step that was severed; those who wait for it go on") func severs()
        throws
    {
        var graph = Graph()
        let old = try started(graph.join(1, path: ["bytes", "decode"], priority: .normal), "bytes")
        let none = graph.sever(old)
        #expect(none == [])
        let again = graph.join(2, path: ["bytes", "decode"], priority: .normal)
        let new = try started(again, "bytes")
        #expect(new != old)
        let joined = graph.join(3, path: ["bytes", "decode"], priority: .normal)
        #expect(joined == [])
        let decode = try started(graph.finished(old), "decode")
        let end = graph.finished(decode)
        #expect(end == [.complete([1], decode), .release(decode), .release(old)])
        // The end of the severed one has not taken the new one's place.
        let later = graph.join(4, path: ["bytes"], priority: .normal)
        #expect(later == [])
        #expect(graph.waiters(under: new).sorted() == [2, 3, 4])
        let failed = graph.failed(new)
        #expect(failed == [.fail([2, 3, 4], new), .release(new)])
        #expect(graph.isEmpty)
    }

    @Test("C4: a step that made nothing is found by nobody, and its parent goes as it may")
    func seversBehindTheFirst() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "decode", "blur"], priority: .normal), "bytes")
        let decode = try started(graph.finished(bytes), "decode")
        let severed = graph.sever(decode)
        #expect(severed == [.release(bytes)])
        let again = graph.join(2, path: ["bytes", "decode"], priority: .normal)
        let other = try started(again, "bytes")
        #expect(other != bytes)
        let blur = try started(graph.finished(decode), "blur")
        let end = graph.finished(blur)
        #expect(end == [.complete([1], blur), .release(blur), .release(decode)])
        #expect(graph.waiters(under: other) == [2])
    }

    @Test("promise 2: an equal start of a filter list is run once") func sharesPrefixes() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "decode", "blur", "circle"], priority: .normal), "bytes")
        _ = graph.join(2, path: ["bytes", "decode", "blur", "tint"], priority: .normal)
        _ = graph.join(3, path: ["bytes", "decode"], priority: .normal)
        let decode = try started(graph.finished(bytes), "decode")
        let afterDecode = graph.finished(decode)
        let blur = try started(afterDecode, "blur")
        #expect(
            afterDecode == [.complete([3], decode), .start(blur, "blur", parent: decode, .normal)])
        let afterBlur = graph.finished(blur)
        #expect(afterBlur.count == 2)
        let circle = try started(afterBlur, "circle")
        let tint = try started(afterBlur, "tint")
        let answer3 = graph.finished(circle)
        #expect(answer3 == [.complete([1], circle), .release(circle)])
        let answer4 = graph.finished(tint)
        #expect(
            answer4
                == [
                    .complete([2], tint), .release(tint), .release(blur), .release(decode),
                    .release(bytes),
                ])
    }

    @Test("promise 4: one caller leaves, the others stay") func leavingKeepsTheOthers() throws {
        var graph = Graph()
        let bytes = try started(graph.join(1, path: ["bytes"], priority: .normal), "bytes")
        _ = graph.join(2, path: ["bytes"], priority: .normal)
        let answer5 = graph.leave(1)
        #expect(answer5 == [])
        let answer6 = graph.finished(bytes)
        #expect(answer6 == [.complete([2], bytes), .release(bytes)])
    }

    @Test("promise 6: the last caller's leaving stops the work") func lastLeaves() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "decode"], priority: .normal), "bytes")
        let actions = graph.leave(1)
        #expect(actions.count == 3)
        #expect(actions.suffix(2) == [.stop(bytes), .release(bytes)])
        #expect(graph.isEmpty)
        let answer7 = graph.finished(bytes)
        #expect(answer7 == [], "news of a stopped step is not heard")
        let answer8 = graph.failed(bytes)
        #expect(answer8 == [])
        let answer9 = graph.leave(1)
        #expect(answer9 == [])
    }

    @Test func aFailureReachesAllThatDepend() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "decode"], priority: .normal), "bytes")
        _ = graph.join(2, path: ["bytes", "decode", "circle"], priority: .normal)
        let decode = try started(graph.finished(bytes), "decode")
        let answer10 = graph.failed(decode)
        #expect(
            answer10 == [.fail([1, 2], decode), .release(decode), .release(bytes)])
        #expect(graph.isEmpty)
    }

    @Test func aFailureLeavesSiblingsAlone() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "small"], priority: .normal), "bytes")
        _ = graph.join(2, path: ["bytes", "large"], priority: .normal)
        let actions = graph.finished(bytes)
        let small = try started(actions, "small")
        let large = try started(actions, "large")
        let answer11 = graph.failed(small)
        #expect(answer11 == [.fail([1], small), .release(small)])
        let answer12 = graph.finished(large)
        #expect(
            answer12 == [.complete([2], large), .release(large), .release(bytes)])
    }

    @Test func joiningAfterTheBytesStartsAtTheDecoding() throws {
        var graph = Graph()
        let bytes = try started(
            graph.join(1, path: ["bytes", "small"], priority: .normal), "bytes")
        _ = graph.finished(bytes)
        let actions = graph.join(2, path: ["bytes", "large"], priority: .high)
        let large = try started(actions, "large")
        #expect(actions == [.start(large, "large", parent: bytes, .high)])
    }

    @Test("L1: the work has the highest priority of its callers") func priorities() throws {
        var graph = Graph()
        let bytes = try started(graph.join(1, path: ["bytes", "decode"], priority: .low), "bytes")
        let answer13 = graph.join(2, path: ["bytes", "decode"], priority: .high)
        #expect(
            answer13
                == [.reprioritise(bytes, .high)])
        let answer14 = graph.reprioritise(1, .veryHigh)
        #expect(answer14 == [.reprioritise(bytes, .veryHigh)])
        let answer15 = graph.leave(1)
        #expect(answer15 == [.reprioritise(bytes, .high)])
        let answer16 = graph.reprioritise(1, .veryHigh)
        #expect(answer16 == [], "it has left")
    }

    @Test func waitersUnderAStepAreAllThatDependOnIt() throws {
        var graph = Graph()
        let bytes = try started(graph.join(1, path: ["bytes", "a"], priority: .normal), "bytes")
        _ = graph.join(2, path: ["bytes", "b", "c"], priority: .normal)
        _ = graph.join(3, path: ["other"], priority: .normal)
        #expect(Set(graph.waiters(under: bytes)) == [1, 2])
        #expect(graph.root(of: 2) == bytes)
        #expect(graph.root(of: 9) == nil)
    }
}
