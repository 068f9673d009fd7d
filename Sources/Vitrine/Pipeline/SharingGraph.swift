import VitrineBase

/// Which work is under way, for whom, and what depends on what: a pure state machine.
///
/// A load is a path of steps: bytes, then their decoding, then one filter after another. Each step
/// is known by a key, and needs the result of the step before it. Loads whose paths begin alike
/// share those steps: `join` walks along what exists and adds what does not. A step's priority is
/// the highest of all that wait for it or for something built on it; it is counted, so that a caller
/// costs as little among thousands as alone.
///
/// Nothing here does any work: every event returns the ``Action``s that somebody must perform.
struct SharingGraph<Key: Hashable> {
    /// Names one run of a step. A number is never used again, so that news of a run that was stopped
    /// is told apart from news of a later one with the same key.
    struct StepID: Hashable, Sendable, Comparable {
        private let number: UInt64

        fileprivate init(_ number: UInt64) { self.number = number }

        static func < (lhs: StepID, rhs: StepID) -> Bool { lhs.number < rhs.number }
    }
    /// Names one caller.
    typealias WaiterID = UInt64

    enum Action: Equatable {
        /// Run the step; the result of `parent` is there.
        case start(StepID, Key, parent: StepID?, LoadPriority)
        /// Nobody waits for the running step any more.
        case stop(StepID)
        /// The priority of a running step has changed.
        case reprioritise(StepID, LoadPriority)
        /// These callers have what they came for: the result of the step.
        case complete([WaiterID], StepID)
        /// These callers cannot have it: the step has failed.
        case fail([WaiterID], StepID)
        /// The step's result is needed no more.
        case release(StepID)
    }

    private enum Phase { case waiting, running, done }

    private struct Step {
        let key: Key
        let parent: StepID?
        var phase: Phase
        var children: [Key: StepID] = [:]
        var waiters: [WaiterID: LoadPriority] = [:]
        /// The priorities of `waiters` and `children`.
        var wanted = PriorityCounts()
        var priority: LoadPriority
        /// Whether those who come later do not find it.
        var isSevered = false
    }

    private var steps: [StepID: Step] = [:]
    private var roots: [Key: StepID] = [:]
    private var places: [WaiterID: StepID] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether nothing is under way.
    var isEmpty: Bool { steps.isEmpty }

    /// A caller wants the result at the end of `path`. A waiter's number is used once.
    mutating func join(
        _ waiter: WaiterID, path: [Key], priority: LoadPriority
    ) -> [Action] {
        var actions: [Action] = []
        var current: StepID?
        for key in path {
            current =
                existing(key, under: current)
                ?? add(key, under: current, priority, &actions)
        }
        guard let last = current else { return [] }
        if steps[last]?.phase == .done {
            actions.append(.complete([waiter], last))
            return actions
        }
        steps[last]?.waiters[waiter] = priority
        steps[last]?.wanted.add(priority)
        places[waiter] = last
        updatePriorities(from: last, &actions)
        return actions
    }

    /// A caller gives up. Nothing happens if it has been answered already.
    mutating func leave(_ waiter: WaiterID) -> [Action] {
        guard let place = places.removeValue(forKey: waiter) else { return [] }
        var actions: [Action] = []
        if let priority = steps[place]?.waiters.removeValue(forKey: waiter) {
            steps[place]?.wanted.remove(priority)
        }
        prune(place, &actions)
        return actions
    }

    /// A caller wants it sooner or later than before.
    mutating func reprioritise(_ waiter: WaiterID, _ priority: LoadPriority) -> [Action] {
        guard let place = places[waiter] else { return [] }
        var actions: [Action] = []
        if let old = steps[place]?.waiters.updateValue(priority, forKey: waiter) {
            steps[place]?.wanted.remove(old)
            steps[place]?.wanted.add(priority)
        }
        updatePriorities(from: place, &actions)
        return actions
    }

    /// A step has its result. Nothing happens if it was stopped.
    mutating func finished(_ id: StepID) -> [Action] {
        guard var step = steps[id], step.phase == .running else { return [] }
        let waiters = step.waiters.keys.sorted()
        step.phase = .done
        step.waiters = [:]
        step.wanted = PriorityCounts()
        for child in step.children.values {
            if let next = steps[child] { step.wanted.add(next.priority) }
        }
        steps[id] = step
        for waiter in waiters { places[waiter] = nil }

        var actions: [Action] = []
        if !waiters.isEmpty { actions.append(.complete(waiters, id)) }
        for child in step.children.values.sorted() {
            guard let next = steps[child] else { continue }
            steps[child]?.phase = .running
            actions.append(.start(child, next.key, parent: id, next.priority))
        }
        prune(id, &actions)
        return actions
    }

    /// A step has failed, and with it all that was to be built on it.
    mutating func failed(_ id: StepID) -> [Action] {
        guard let step = steps[id], step.phase == .running else { return [] }
        var waiters: [WaiterID] = []
        var doomed = [id]
        while let next = doomed.popLast() {
            guard let step = steps.removeValue(forKey: next) else { continue }
            waiters.append(contentsOf: step.waiters.keys)
            doomed.append(contentsOf: step.children.values)
        }
        for waiter in waiters { places[waiter] = nil }
        var actions: [Action] = []
        if !waiters.isEmpty { actions.append(.fail(waiters.sorted(), id)) }
        actions.append(.release(id))
        forget(step, &actions)
        return actions
    }

    /// Whoever joins from now on does not find the step, and begins one of his own; those who wait for
    /// it go on.
    mutating func sever(_ id: StepID) -> [Action] {
        guard let step = steps[id], !step.isSevered else { return [] }
        steps[id]?.isSevered = true
        guard let parent = step.parent else {
            roots[step.key] = nil
            return []
        }
        var actions: [Action] = []
        remove(step, from: parent, &actions)
        return actions
    }

    /// The keys of the first steps under way that can be joined.
    var rootKeys: some Collection<Key> { roots.keys }

    /// The first steps under way whose keys are meant.
    func roots(where isMeant: (Key) -> Bool) -> [StepID] {
        roots.filter { isMeant($0.key) }.values.sorted()
    }

    /// All callers that wait for the step or for something built on it.
    func waiters(under id: StepID) -> [WaiterID] {
        guard let step = steps[id] else { return [] }
        return step.children.values.reduce(into: Array(step.waiters.keys)) {
            $0.append(contentsOf: waiters(under: $1))
        }
    }

    /// The first step on whose result the waiter depends; nil if it has been answered.
    func root(of waiter: WaiterID) -> StepID? {
        var current = places[waiter]
        while let id = current, let parent = steps[id]?.parent { current = parent }
        return current
    }

    // MARK: -

    private func existing(_ key: Key, under parent: StepID?) -> StepID? {
        guard let parent else { return roots[key] }
        return steps[parent]?.children[key]
    }

    private mutating func add(
        _ key: Key, under parent: StepID?, _ priority: LoadPriority, _ actions: inout [Action]
    ) -> StepID {
        lastNumber += 1
        let id = StepID(lastNumber)
        let isReady = parent.map { steps[$0]?.phase == .done } ?? true
        steps[id] = Step(
            key: key, parent: parent, phase: isReady ? .running : .waiting, priority: priority)
        if let parent {
            steps[parent]?.children[key] = id
            steps[parent]?.wanted.add(priority)
        } else {
            roots[key] = id
        }
        if isReady { actions.append(.start(id, key, parent: parent, priority)) }
        return id
    }

    /// Removes the step, and those above it, as far as nobody needs them.
    private mutating func prune(_ id: StepID, _ actions: inout [Action]) {
        guard let step = steps[id] else { return }
        guard step.waiters.isEmpty, step.children.isEmpty else {
            updatePriorities(from: id, &actions)
            return
        }
        steps[id] = nil
        if step.phase == .running { actions.append(.stop(id)) }
        actions.append(.release(id))
        forget(step, &actions)
    }

    /// Takes a removed step out of its parent.
    private mutating func forget(_ step: Step, _ actions: inout [Action]) {
        guard !step.isSevered else { return }
        guard let parent = step.parent else {
            roots[step.key] = nil
            return
        }
        remove(step, from: parent, &actions)
    }

    private mutating func remove(_ step: Step, from parent: StepID, _ actions: inout [Action]) {
        steps[parent]?.children[step.key] = nil
        steps[parent]?.wanted.remove(step.priority)
        prune(parent, &actions)
    }

    /// Brings the step's priority, and those of all above it, up to date with what is counted there.
    private mutating func updatePriorities(from id: StepID, _ actions: inout [Action]) {
        var current: StepID? = id
        while let id = current, let step = steps[id] {
            let wanted = step.wanted.highest ?? step.priority
            // A severed step is not among the children of the one above.
            let parent = step.isSevered ? nil : step.parent
            if wanted != step.priority {
                steps[id]?.priority = wanted
                if step.phase == .running { actions.append(.reprioritise(id, wanted)) }
                if let parent {
                    steps[parent]?.wanted.remove(step.priority)
                    steps[parent]?.wanted.add(wanted)
                }
            }
            current = parent
        }
    }
}
