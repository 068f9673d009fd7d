/// The life of one task: its newest progress and preview, its one end, and who has heard of them. A pure
/// value.
///
/// Every listener hears the newest progress and the newest preview that it has not heard yet, in the
/// order in which they came and never a backlog, then the end, then nothing more.
struct TaskLife<Progress: Sendable, Preview: Sendable, End: Sendable>: Sendable {
    typealias ListenerID = Int

    enum News: Sendable {
        case progress(Progress)
        case preview(Preview)
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
        var progress = 0
        var preview = 0
        var heardEnd = false
    }

    private var progress: (version: Int, value: Progress)?
    private var preview: (version: Int, value: Preview)?
    private var lastVersion = 0
    private var listeners: [ListenerID: Listener] = [:]
    private var nextListener = 0
    private(set) var end: End?

    /// Newer progress; false once the task has ended.
    mutating func advance(_ value: Progress) -> Bool {
        guard end == nil else { return false }
        lastVersion += 1
        progress = (lastVersion, value)
        return true
    }

    /// A newer preview; false once the task has ended.
    mutating func show(_ value: Preview) -> Bool {
        guard end == nil else { return false }
        lastVersion += 1
        preview = (lastVersion, value)
        return true
    }

    /// A preview that is only wanted while there is no other; false if there is, or the task has ended.
    mutating func showFirst(_ value: Preview) -> Bool {
        preview == nil && show(value)
    }

    /// The end; false if there was one before, which then stands.
    mutating func finish(_ end: End) -> Bool {
        guard self.end == nil else { return false }
        self.end = end
        preview = nil  // nobody hears of it any more, and it may be large
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
        defer { listeners[id] = listener }
        if let end {
            listener.heardEnd = true
            return .news(.end(end))
        }
        let progress = progress.flatMap { $0.version > listener.progress ? $0 : nil }
        let preview = preview.flatMap { $0.version > listener.preview ? $0 : nil }
        if let progress, progress.version < preview?.version ?? .max {
            listener.progress = progress.version
            return .news(.progress(progress.value))
        }
        guard let preview else { return .wait }
        listener.preview = preview.version
        return .news(.preview(preview.value))
    }
}
