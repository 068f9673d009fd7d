/// How the results of loads reach one place on a screen: a pure value that is told what happens and
/// answers with what is to be done, in that order.
///
/// A toolkit keeps one for each widget and named slot, tells it of the calls of its users, of
/// appearing and disappearing, of the grace timer and of what its loads report, and performs the
/// ``Action``s. Every load has a ticket of its own; what comes for an older ticket is answered with
/// nothing, so that a late result never reaches a view that has moved on. Every completion handed in
/// is called exactly once: when the wish ends for which it waits, whatever number of loads that takes.
///
/// `Identity` tells whether two requests are equal, `Source` whether two are of the same picture, maybe
/// in another size: then the picture that is shown stays until the new one is there.
package struct ViewBinding<Source: Hashable & Sendable, Identity: Hashable & Sendable>: Sendable {
    package typealias Ticket = Int
    package typealias CompletionID = Int

    /// What a view is to show.
    package struct Wish: Sendable {
        /// Of which picture.
        package var source: Source
        /// The request whole.
        package var identity: Identity
        /// Whether the request asks for more than what is shown already: another look at the server.
        package var asksAnew: Bool

        package init(source: Source, identity: Identity, asksAnew: Bool = false) {
            self.source = source
            self.identity = identity
            self.asksAnew = asksAnew
        }
    }

    package typealias Previous = PreviousPicture

    /// How a view wants it done.
    package struct Manner: Sendable, Hashable {
        package var previous = Previous.cleared
        /// Whether a load begins and goes on while the view is not shown.
        package var loadsWhenHidden = false
        /// Whether what is there at once or within the grace period comes with the transition too.
        package var alwaysTransitions = false
        /// Whether a failure has a picture of its own.
        package var showsFailure = false
        /// Whether the view loads again when the picture has changed at its server.
        package var followsChanges = false

        package init() {}
    }

    /// What a load has come to.
    package enum Outcome: Sendable, Hashable {
        case success
        case failure
        /// Nothing in the caches, and nothing else was to be asked: not a failure.
        case cacheMiss
    }

    /// With what a completion is called.
    package enum Completion: Sendable, Hashable {
        /// With the picture that the same step shows.
        case success
        /// With the picture that was there already.
        case unchanged
        case failure
        case cancelled
        /// There was nothing to load, or nothing in the caches.
        case empty
    }

    /// What is to be done.
    package enum Action: Sendable, Hashable {
        /// Begin the load of the newest wish; what it reports goes by this ticket.
        case start(Ticket)
        /// Give the load up.
        case cancel(Ticket)
        /// Call ``ViewBinding/gracePeriodPassed(_:)`` once it has.
        case awaitGracePeriod(Ticket)
        /// Show neither picture nor placeholder.
        case showNothing
        case showPlaceholder
        case showFailure
        /// Show the picture found in memory, or that the load has brought.
        case showPicture(transition: Bool)
        /// Show what the load has brought so far.
        case showPreview(transition: Bool)
        case complete(CompletionID, Completion)
    }

    /// What the view shows.
    private enum Content: Sendable, Hashable {
        case nothing
        case placeholder
        case failure(Source)
        case preview(Source)
        case picture(Source, Identity)

        /// Of which source something is shown.
        var source: Source? {
            switch self {
            case .nothing, .placeholder: nil
            case .failure(let source), .preview(let source), .picture(let source, _): source
            }
        }

        var isPicture: Bool {
            if case .picture = self { return true }
            return false
        }
    }

    private enum Phase: Sendable, Hashable {
        case idle
        /// Waits for the view to be shown.
        case waiting
        case loading(Ticket)
    }

    private var wish: Wish?
    /// How the newest wish is to be done.
    package var manner = Manner()
    private var phase = Phase.idle
    private var content = Content.nothing
    private var completions: [CompletionID] = []
    private var lastTicket = 0
    private var isInGracePeriod = false
    private var isVisible: Bool
    /// Whether the view is gone for good.
    package private(set) var isGone = false

    /// A binding of a view that shows nothing yet.
    package init(isVisible: Bool = false) {
        self.isVisible = isVisible
    }

    /// The ticket of the load that runs; nil if none does.
    package var running: Ticket? {
        if case .loading(let ticket) = phase { return ticket }
        return nil
    }

    /// Whether something is to be loaded once the view is shown.
    package var isWaiting: Bool { phase == .waiting }

    // MARK: - The user

    /// The view is to show what `wish` says.
    ///
    /// - Parameter isInMemory: whether the picture can be shown in this call.
    package mutating func set(
        _ wish: Wish, manner: Manner = Manner(), isInMemory: Bool, completion: CompletionID? = nil
    ) -> [Action] {
        guard !isGone else { return end(completion, .cancelled) }
        self.manner = manner
        let isSame = self.wish?.identity == wish.identity
        if isSame, phase == .idle, !wish.asksAnew,
            content == .picture(wish.source, wish.identity)
        {
            return end(completion, .unchanged)
        }
        if isSame, phase != .idle {
            // The same request is not restarted; who asks again waits with the others.
            if let completion { completions.append(completion) }
            return isInMemory ? showFromMemory() : clearPrevious() + startIfPossible()
        }
        let actions = giveUp()
        self.wish = wish
        if let completion { completions.append(completion) }
        return actions + (isInMemory ? showFromMemory() : begin())
    }

    /// The same picture is wanted in another size, or at another scale; who waits for it goes on
    /// waiting, and what is shown stays until then.
    package mutating func adapt(to wish: Wish, isInMemory: Bool) -> [Action] {
        guard !isGone, let old = self.wish, old.source == wish.source,
            old.identity != wish.identity, phase != .idle || content.source == wish.source
        else { return [] }
        let actions = stop()
        self.wish = wish
        return actions + (isInMemory ? showFromMemory() : begin())
    }

    /// The view is to show nothing but its placeholder.
    package mutating func clear(completion: CompletionID? = nil) -> [Action] {
        guard !isGone else { return end(completion, .cancelled) }
        let actions = giveUp()
        wish = nil
        return actions + show(.placeholder) + end(completion, .empty)
    }

    /// The load is given up; what is shown stays, but a view that waited shows its placeholder.
    package mutating func cancel() -> [Action] {
        guard phase != .idle else { return [] }
        let actions = giveUp()
        return content == .nothing ? actions + show(.placeholder) : actions
    }

    /// What failed, or was cancelled, is tried again.
    package mutating func retry() -> [Action] {
        guard !isGone, wish != nil, phase == .idle else { return [] }
        return begin()
    }

    /// The picture of a source is another one at its server.
    package mutating func changed(_ source: Source) -> [Action] {
        guard manner.followsChanges, wish?.source == source, content.source == source,
            content.isPicture
        else {
            return []
        }
        return retry()
    }

    // MARK: - The view

    package mutating func appeared() -> [Action] {
        isVisible = true
        return startIfPossible()
    }

    /// A load that runs is stopped, and begun again when the view appears. The wish stands, so that who
    /// waits for it goes on waiting, as one does who wished while the view was hidden.
    package mutating func disappeared() -> [Action] {
        isVisible = false
        guard running != nil, !manner.loadsWhenHidden else { return [] }
        let actions = stop()
        phase = .waiting
        return actions
    }

    /// The view is gone for good; nothing is to be shown any more.
    package mutating func vanished() -> [Action] {
        guard !isGone else { return [] }
        isGone = true
        wish = nil
        return giveUp()
    }

    // MARK: - The load

    package mutating func gracePeriodPassed(_ ticket: Ticket) -> [Action] {
        guard ticket == running, isInGracePeriod, let wish else { return [] }
        isInGracePeriod = false
        if content.isPicture, content.source == wish.source || manner.previous == .kept {
            return []
        }
        // What has arrived by now is better than a placeholder.
        if case .preview(wish.source) = content { return [] }
        // Also in place of the placeholder of an earlier wish, which may be another one.
        content = .placeholder
        return [.showPlaceholder]
    }

    package mutating func previewed(_ ticket: Ticket) -> [Action] {
        guard ticket == running, let wish else { return [] }
        // A whole picture of this source is better, though it may have another size.
        if case .picture(wish.source, _) = content { return [] }
        let transition = isTransitionDue
        content = .preview(wish.source)
        return [.showPreview(transition: transition)]
    }

    package mutating func finished(_ ticket: Ticket, _ outcome: Outcome) -> [Action] {
        guard ticket == running, let wish else { return [] }
        let transition = isTransitionDue
        phase = .idle
        isInGracePeriod = false
        switch outcome {
        case .success:
            content = .picture(wish.source, wish.identity)
            return [.showPicture(transition: transition)] + endAll(.success)
        case .failure:
            return showInsteadOfPicture(manner.showsFailure ? .failure(wish.source) : .placeholder)
                + endAll(.failure)
        case .cacheMiss:
            return showInsteadOfPicture(.placeholder) + endAll(.empty)
        }
    }

    // MARK: - Steps

    private mutating func showFromMemory() -> [Action] {
        guard let wish else { return [] }
        var actions: [Action] = []
        if let running { actions.append(.cancel(running)) }
        phase = .idle
        isInGracePeriod = false
        content = .picture(wish.source, wish.identity)
        actions.append(.showPicture(transition: manner.alwaysTransitions))
        return actions + endAll(.success)
    }

    private mutating func begin() -> [Action] {
        phase = .waiting
        return clearPrevious() + startIfPossible()
    }

    /// Takes away what is shown of another source, unless it may stay.
    private mutating func clearPrevious() -> [Action] {
        guard let shown = content.source, shown != wish?.source,
            manner.previous == .cleared || !content.isPicture
        else { return [] }
        return show(.nothing)
    }

    private mutating func startIfPossible() -> [Action] {
        guard phase == .waiting, !isGone else { return [] }
        guard isVisible || manner.loadsWhenHidden else {
            return content == .nothing ? show(.placeholder) : []
        }
        lastTicket += 1
        phase = .loading(lastTicket)
        isInGracePeriod = true
        return [.start(lastTicket), .awaitGracePeriod(lastTicket)]
    }

    /// The wish ends without a picture.
    private mutating func giveUp() -> [Action] { stop() + endAll(.cancelled) }

    /// The load ends, and nobody hears of it.
    private mutating func stop() -> [Action] {
        var actions: [Action] = []
        if let running { actions.append(.cancel(running)) }
        phase = .idle
        isInGracePeriod = false
        // A part of a picture is not left standing as if it were the whole.
        if case .preview = content, !isGone { actions += show(.nothing) }
        return actions
    }

    /// Transitions are for what takes the place of a placeholder that people have seen.
    private var isTransitionDue: Bool {
        if manner.alwaysTransitions { return true }
        if case .preview = content { return false }
        return !isInGracePeriod
    }

    /// What a load without a picture leaves: a whole picture stays if it is of the same source or was
    /// to be kept.
    private mutating func showInsteadOfPicture(_ new: Content) -> [Action] {
        if content.isPicture, content.source == wish?.source || manner.previous == .kept {
            return []
        }
        return show(new)
    }

    private mutating func show(_ new: Content) -> [Action] {
        guard content != new else { return [] }
        content = new
        switch new {
        case .placeholder: return [.showPlaceholder]
        case .failure: return [.showFailure]
        case .nothing, .preview, .picture: return [.showNothing]
        }
    }

    private mutating func endAll(_ completion: Completion) -> [Action] {
        defer { completions = [] }
        return completions.map { .complete($0, completion) }
    }

    private func end(_ id: CompletionID?, _ completion: Completion) -> [Action] {
        id.map { [.complete($0, completion)] } ?? []
    }
}
