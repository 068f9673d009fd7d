/// The life of one task: its newest progress, its one end, and who has heard of them. A pure value.
///
/// Every listener hears the newest progress that it has not heard yet, never a backlog, then the
/// end, then nothing more.
struct TaskLife<Progress: Sendable, End: Sendable>: Sendable {
    typealias ListenerID = Int

    enum News: Sendable {
        case progress(Progress)
        case end(End)
    }

    /// What a listener gets when it asks.
    enum Answer: Sendable {
        case news(News)
        /// Nothing new: ask again when told to.
        case wait
        /// The end was heard.
        case over
    }

    private struct Listener {
        var heard = 0
        var heardEnd = false
    }

    private var newest: (version: Int, progress: Progress)?
    private var listeners: [ListenerID: Listener] = [:]
    private var nextListener = 0
    private(set) var end: End?

    /// Newer progress; false once the task has ended.
    mutating func advance(_ progress: Progress) -> Bool {
        guard end == nil else { return false }
        newest = ((newest?.version ?? 0) + 1, progress)
        return true
    }

    /// The end; false if there was one before, which then stands.
    mutating func finish(_ end: End) -> Bool {
        guard self.end == nil else { return false }
        self.end = end
        return true
    }

    mutating func addListener() -> ListenerID {
        nextListener += 1
        listeners[nextListener] = Listener()
        return nextListener
    }

    mutating func removeListener(_ id: ListenerID) {
        listeners[id] = nil
    }

    /// Whether ``next(for:)`` would answer with anything but to wait.
    func hasNews(for id: ListenerID) -> Bool {
        var copy = self
        if case .wait = copy.next(for: id) { return false }
        return true
    }

    mutating func next(for id: ListenerID) -> Answer {
        guard var listener = listeners[id], !listener.heardEnd else { return .over }
        if let newest, newest.version > listener.heard, end == nil {
            listener.heard = newest.version
            listeners[id] = listener
            return .news(.progress(newest.progress))
        }
        guard let end else { return .wait }
        listener.heardEnd = true
        listeners[id] = listener
        return .news(.end(end))
    }
}
