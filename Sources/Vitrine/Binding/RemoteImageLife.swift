/// What a remote image shows, and when it loads: a pure value.
///
/// A load that has ended, however it did, is not repeated by itself: whoever draws a state asks for
/// the same again each time, and must get neither a flash nor a circle. A load is known by a key; a
/// number names one run of it, so that what a run tells that was given up is not heard.
struct RemoteImageLife<Key: Equatable, Progress, Preview, Success, Failure> {
    typealias Run = Int

    enum Phase {
        /// Nothing was asked for, or it was given up.
        case idle
        case loading(Run, Progress?, Preview?)
        /// No cache has it, and the network was not allowed.
        case missed
        case failed(Failure)
        case succeeded(Success)
    }

    /// How a run ends.
    enum End {
        case succeeded(Success)
        case failed(Failure)
        case missed
        /// By somebody else: the owner's own cancellation is not heard.
        case cancelled
    }

    enum Action: Equatable {
        /// Load what the key stands for.
        case start(Run)
        /// Give up what was started last.
        case cancel
        /// Show the phase.
        case show
    }

    private(set) var phase = Phase.idle
    private(set) var key: Key?
    /// Whether what is set from now on is loaded at once.
    private(set) var isActive = false
    private var lastRun: Run = 0

    /// Another picture is wanted, or none. The same one changes nothing.
    mutating func set(_ key: Key?) -> [Action] {
        guard key != self.key else { return [] }
        self.key = key
        var actions = giveUp()
        phase = .idle
        if isActive { actions += start() }
        return actions + [.show]
    }

    /// It is to be there from now on. Nothing happens if it is, is on its way, or has failed.
    mutating func load() -> [Action] {
        isActive = true
        guard case .idle = phase, key != nil else { return [] }
        return start() + [.show]
    }

    /// What has failed is tried again.
    mutating func retry() -> [Action] {
        switch phase {
        case .loading, .succeeded: return []
        case .idle, .missed, .failed:
            phase = .idle
            return load()
        }
    }

    /// It need not come any more. What is there stays.
    mutating func cancel() -> [Action] {
        isActive = false
        let actions = giveUp()
        guard !actions.isEmpty else { return [] }
        phase = .idle
        return actions + [.show]
    }

    mutating func advance(_ run: Run, _ progress: Progress) -> [Action] {
        guard case .loading(run, _, let preview) = phase else { return [] }
        phase = .loading(run, progress, preview)
        return [.show]
    }

    mutating func preview(_ run: Run, _ preview: Preview) -> [Action] {
        guard case .loading(run, let progress, _) = phase else { return [] }
        phase = .loading(run, progress, preview)
        return [.show]
    }

    mutating func end(_ run: Run, _ end: End) -> [Action] {
        guard case .loading(run, _, _) = phase else { return [] }
        switch end {
        case .succeeded(let success): phase = .succeeded(success)
        case .failed(let failure): phase = .failed(failure)
        case .missed: phase = .missed
        case .cancelled: phase = .idle
        }
        return [.show]
    }

    private mutating func start() -> [Action] {
        guard key != nil else { return [] }
        lastRun += 1
        phase = .loading(lastRun, nil, nil)
        return [.start(lastRun)]
    }

    private func giveUp() -> [Action] {
        if case .loading = phase { return [.cancel] }
        return []
    }
}
