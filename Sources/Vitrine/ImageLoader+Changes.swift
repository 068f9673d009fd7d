import VitrineBase

extension ImageLoader {
    /// What happens to what the caches hold, from now on: new bytes found by a load, and what the
    /// program removes. What is on screen stays as it is; a view that wants to follow loads again.
    ///
    /// ```swift
    /// for await change in loader.changes where change == .replaced(url) { reload() }
    /// ```
    ///
    /// Many may iterate, each for itself. A slow listener hears of each URL once, and of everything at
    /// once if more than 64 have changed meanwhile. An iteration ends when its Swift task is cancelled
    /// or the loader is released; it does not keep the loader alive.
    public var changes: Changes { Changes(feed: changeFeed) }

    /// An asynchronous sequence of ``CacheChange``s.
    public struct Changes: AsyncSequence, Sendable {
        /// What has happened.
        public typealias Element = CacheChange
        /// None.
        public typealias Failure = Never
        let feed: ChangeFeed

        /// A listener of its own, which hears of what happens from now on.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Reads the changes for one listener.
        public final class Iterator: AsyncIteratorProtocol {
            private let feed: ChangeFeed
            private let listener: Int

            init(feed: ChangeFeed) {
                self.feed = feed
                listener = feed.addListener()
            }

            deinit { feed.removeListener(listener) }

            /// The next change; see ``next(isolation:)``.
            public func next() async -> CacheChange? { await next(isolation: #isolation) }

            /// The next change; nil when the loader is gone, or the iterating Swift task is cancelled.
            public func next(isolation actor: isolated (any Actor)?) async -> CacheChange? {
                await feed.next(for: listener)
            }
        }
    }
}

/// Brings changes to whoever listens.
final class ChangeFeed: Sendable {
    private struct State {
        var listeners: [Int: ChangeQueue] = [:]
        var waiting = Waiters()
        var last = 0
        var isOver = false
    }
    private let state = Lock(State())

    func addListener() -> Int {
        state.withLock { state in
            state.last += 1
            state.listeners[state.last] = ChangeQueue()
            return state.last
        }
    }

    func removeListener(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
    }

    func post(_ change: CacheChange) {
        wake { state in
            for number in state.listeners.keys { state.listeners[number]?.add(change) }
        }
    }

    /// There will be no more changes.
    func end() {
        wake { $0.isOver = true }
    }

    func next(for number: Int) async -> CacheChange? {
        while !Task.isCancelled {
            let (change, isOver) = state.withLock { state in
                (state.listeners[number]?.next(), state.isOver)
            }
            if let change { return change }
            if isOver { return nil }
            await state.wait(in: \.waiting) { state in
                state.listeners[number]?.isEmpty != true || state.isOver
            }
        }
        return nil
    }

    /// All who wait look again: each change is for every listener.
    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return state.waiting.takeAll()
        }
        for continuation in waiting { continuation.resume() }
    }
}
