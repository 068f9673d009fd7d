import DeterminismSupport
import Testing
import VitrineBase

@testable import Vitrine

/// Random events in random order against the graph, with what must always hold checked after each.
@Suite struct SharingGraphSimulationTests {
    typealias Graph = SharingGraph<Int>

    /// Does what the graph says, and keeps book of it.
    fileprivate struct World {
        var graph = Graph()
        var running: [Graph.StepID: LoadPriority] = [:]
        var results: Set<Graph.StepID> = []
        var waiting: [UInt64: LoadPriority] = [:]
        var ended: Set<UInt64> = []
        var lastWaiter: UInt64 = 0

        mutating func perform(_ actions: [Graph.Action]) {
            for action in actions {
                switch action {
                case .start(let id, _, let parent, let priority):
                    #expect(running[id] == nil && !results.contains(id), "started twice")
                    if let parent { #expect(results.contains(parent), "started too early") }
                    running[id] = priority
                case .stop(let id):
                    #expect(running.removeValue(forKey: id) != nil, "stopped, but did not run")
                case .reprioritise(let id, let priority):
                    #expect(running[id] != nil && running[id] != priority)
                    running[id] = priority
                case .complete(let waiters, let id):
                    #expect(results.contains(id))
                    for waiter in waiters { end(waiter) }
                case .fail(let waiters, _):
                    for waiter in waiters { end(waiter) }
                case .release(let id):
                    results.remove(id)
                    running[id] = nil
                }
            }
        }

        private mutating func end(_ waiter: UInt64) {
            #expect(waiting.removeValue(forKey: waiter) != nil, "ended without waiting")
            #expect(ended.insert(waiter).inserted, "ended twice")
        }

        func check() {
            #expect(graph.isEmpty == waiting.isEmpty, "work without a waiter, or the reverse")
            if waiting.isEmpty { #expect(running.isEmpty && results.isEmpty) }
            // Whoever waits depends on something that runs, and that is wanted as much as by the one who
            // wants it most.
            for (id, priority) in running {
                let wanted = graph.waiters(under: id).compactMap { waiting[$0] }.max()
                #expect(wanted == priority)
            }
        }
    }

    @Test(
        "promise 5: every caller ends once, whatever happens",
        arguments: 1...8 as ClosedRange<UInt64>)
    func everyCallerEndsOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var world = World()
        for _ in 0..<5000 {
            switch Int.random(in: 0..<11, using: &random) {
            case 0..<4:
                let length = Int.random(in: 1...4, using: &random)
                let path = (0..<length).map { _ in Int.random(in: 0..<3, using: &random) }
                world.lastWaiter += 1
                let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                world.waiting[world.lastWaiter] = priority
                world.perform(
                    world.graph.join(world.lastWaiter, path: path, priority: priority))
            case 4:
                guard let waiter = world.waiting.keys.sorted().randomElement(using: &random) else {
                    continue
                }
                world.waiting[waiter] = nil
                world.ended.insert(waiter)
                world.perform(world.graph.leave(waiter))
            case 5:
                guard let waiter = world.waiting.keys.sorted().randomElement(using: &random) else {
                    continue
                }
                let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                world.waiting[waiter] = priority
                world.perform(world.graph.reprioritise(waiter, priority))
            case 6:
                guard let id = world.pick(&random) else { continue }
                world.perform(world.graph.failed(id))
                world.running[id] = nil
            case 7:
                // As a removal does it to what is under way, and a step that made nothing to itself.
                if Bool.random(using: &random) {
                    for id in world.graph.roots(where: { $0 == 1 }) {
                        world.perform(world.graph.sever(id))
                    }
                } else if let id = world.pick(&random) {
                    world.perform(world.graph.sever(id))
                }
            default:
                guard let id = world.pick(&random) else { continue }
                world.running[id] = nil
                world.results.insert(id)
                world.perform(world.graph.finished(id))
            }
            world.check()
        }
        for waiter in world.waiting.keys.sorted() {
            world.waiting[waiter] = nil
            world.perform(world.graph.leave(waiter))
        }
        #expect(world.graph.isEmpty && world.running.isEmpty && world.results.isEmpty)
    }
}

extension SharingGraphSimulationTests.World {
    /// A running step, chosen so that the same seed gives the same run.
    fileprivate func pick(_ random: inout SeededRandom) -> SharingGraph<Int>.StepID? {
        running.keys.sorted().randomElement(using: &random)
    }
}
