import DeterminismSupport
import Testing

@testable import Vitrine

/// What a toolkit would have done with a binding's actions, and whether they make sense.
private struct Screen {
    typealias Action = ViewBinding<Int, Int>.Action

    var running: Set<Int> = []
    var completed: [Int: Int] = [:]
    /// The source that a ticket's load brings.
    var sources: [Int: Int] = [:]
    var wanted: Int?
    /// The source of the picture on screen; nil for anything else.
    var picture: Int?
    var faults: [String] = []

    mutating func perform(_ actions: [Action], bringing source: Int?) {
        for action in actions {
            switch action {
            case .start(let ticket):
                if !running.isEmpty { faults.append("two loads at once") }
                running.insert(ticket)
                sources[ticket] = wanted
            case .cancel(let ticket):
                if running.remove(ticket) == nil { faults.append("cancels what does not run") }
            case .showPicture, .showPreview:
                picture = source
                if source != wanted { faults.append("a wrong picture") }
            case .showNothing, .showPlaceholder, .showFailure: picture = nil
            case .complete(let id, _): completed[id, default: 0] += 1
            case .awaitGracePeriod: break
            }
        }
    }
}

@Suite struct ViewBindingSimulationTests {
    @Test(
        "promises 25 to 28: in 40,000 interleavings no wrong picture, one load at most, every completion once",
        arguments: [1, 2, 3, 4] as [UInt64])
    func interleavings(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10_000 {
            var binding = ViewBinding<Int, Int>(isVisible: Bool.random(using: &random))
            var screen = Screen()
            var asked = 0
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let tickets = Array(screen.sources.keys).sorted()
                let ticket = tickets.randomElement(using: &random) ?? 1
                let isCurrent = screen.running.contains(ticket)
                let source = screen.sources[ticket]
                switch Int.random(in: 0..<14, using: &random) {
                case 0, 1, 2:
                    let source = Int.random(in: 0..<3, using: &random)
                    var manner = ViewBinding<Int, Int>.Manner()
                    manner.previous =
                        [.cleared, .kept, .keptForGracePeriod].randomElement(using: &random)
                        ?? .cleared
                    manner.loadsWhenHidden = Bool.random(using: &random)
                    asked += 1
                    screen.wanted = source
                    screen.perform(
                        binding.set(
                            .init(
                                source: source,
                                identity: source * 10 + Int.random(in: 0..<2, using: &random),
                                asksAnew: Int.random(in: 0..<5, using: &random) == 0),
                            manner: manner, isInMemory: Int.random(in: 0..<4, using: &random) == 0,
                            completion: asked), bringing: source)
                    if manner.previous == .cleared, let shown = screen.picture, shown != source {
                        screen.faults.append("the old picture stays")
                    }
                case 3: screen.perform(binding.appeared(), bringing: nil)
                case 4: screen.perform(binding.disappeared(), bringing: nil)
                case 5: screen.perform(binding.cancel(), bringing: nil)
                case 6: screen.perform(binding.retry(), bringing: nil)
                case 7:
                    screen.wanted = nil
                    asked += 1
                    screen.perform(binding.clear(completion: asked), bringing: nil)
                case 8: screen.perform(binding.gracePeriodPassed(ticket), bringing: nil)
                case 9: screen.perform(binding.previewed(ticket), bringing: source)
                case 10:
                    if let wanted = screen.wanted {
                        let identity = wanted * 10 + Int.random(in: 0..<2, using: &random)
                        screen.perform(
                            binding.adapt(
                                to: .init(source: wanted, identity: identity),
                                isInMemory: Bool.random(using: &random)), bringing: wanted)
                    }
                default:
                    let outcome: ViewBinding<Int, Int>.Outcome =
                        [.success, .success, .failure, .cacheMiss].randomElement(using: &random)
                        ?? .success
                    let actions = binding.finished(ticket, outcome)
                    if isCurrent { screen.running.remove(ticket) }
                    if !isCurrent, !actions.isEmpty { screen.faults.append("a stale result") }
                    screen.perform(actions, bringing: source)
                }
                if binding.running.map({ [$0] }) ?? [] != screen.running {
                    screen.faults.append("\(screen.running) run")
                }
            }
            screen.perform(binding.vanished(), bringing: nil)
            #expect(screen.faults.isEmpty)
            #expect(screen.running.isEmpty)
            #expect(
                screen.completed
                    == Dictionary(uniqueKeysWithValues: (0..<asked).map { ($0 + 1, 1) }))
        }
    }
}
