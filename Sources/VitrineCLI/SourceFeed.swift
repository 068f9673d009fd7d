import VitrineBase

/// The pictures that a run is asked for, in their order: read a little ahead of those who take them,
/// so that a list of any length takes little memory, and one that is still being written is begun.
///
/// Of what has been handed out only fingerprints stay: eight bytes of each line, to know doubles, and
/// what ``PictureNames`` needs.
final class SourceFeed: Sendable {
    /// Where pictures are named.
    enum Input: Equatable {
        case source(String)
        /// A file; `-` is standard input.
        case list(String)
    }

    /// One picture.
    struct Entry: Sendable {
        let text: String
        let source: Result<PictureSource, UsageError>
        /// The file's name without its extension; empty if the source is none.
        let name: String
    }

    /// What is known of the lists.
    struct Count: Sendable, Equatable {
        /// Different ones that were read.
        var asked = 0
        /// Those that were named before.
        var doubles = 0
        /// Lists that could not be read, or not to their end.
        var brokenLists = 0
        /// Whether everything was read: nothing has stopped it, and no list was broken.
        var isWhole = false
    }

    private struct State {
        var count = Count()
        var seen: Set<UInt64> = []
        var names: PictureNames
        /// Read and not taken, the next one last.
        var waiting = Backlog()
        var takers = Waiters()
        /// One at most.
        var readers = Waiters()
        var isStopped = false
    }

    private let state: Lock<State>
    private let bell = Bell()
    private let workers = BlockingPool(name: "vitrine-list", threads: 1)

    init(names: PictureNames) { state = Lock(State(names: names)) }

    var count: Count { state.withLock { $0.count } }

    // MARK: Reading

    /// Reads all of the inputs, as they are taken.
    ///
    /// - Parameter complain: is told why a list could not be read, or not to its end.
    func read(_ inputs: [Input], complain: (UsageError) -> Void) async {
        for input in inputs {
            switch input {
            case .source(let text): await offer([text])
            case .list(let path):
                do {
                    try await read(path)
                } catch let error as UsageError {
                    state.withLock { $0.count.brokenLists += 1 }
                    complain(error)
                } catch {}  // cancelled
            }
        }
        wake { state in
            state.count.isWhole = !state.isStopped && state.count.brokenLists == 0
            state.isStopped = true
        }
    }

    private func read(_ path: String) async throws {
        let list = try await workers.run { try ListFile(path) }
        var lines = ListLines()
        while lines.fault == nil, !isStopped {
            let bytes = try await workers.run { [bell] in try list.read(until: bell) }
            if bytes.isEmpty { break }
            await offer(lines.add(bytes))
        }
        await offer(lines.end())
        // What was cut off by being stopped is no fault.
        if let fault = lines.fault, !isStopped { throw ListFile.refused(path, fault) }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Puts different ones into the queue, and waits until there is room for more.
    private func offer(_ texts: [String]) async {
        wake { state in
            for text in texts where !state.isStopped {
                if state.seen.insert(Fingerprint.of(text)).inserted {
                    state.count.asked += 1
                    state.waiting.append(text)
                } else {
                    state.count.doubles += 1
                }
            }
        }
        await state.wait(in: \.readers) { !$0.waiting.isFull || $0.isStopped }
    }

    // MARK: Taking

    /// The next one, as soon as it is read; nil after the last one, and when the calling task is
    /// cancelled.
    func next() async -> Entry? {
        while !Task.isCancelled {
            let (entry, isOver, readers) = state.withLock { state in
                let entry = state.waiting.removeFirst().map { Self.entry($0, &state.names) }
                let isOver = entry == nil && state.isStopped
                return (entry, isOver, state.waiting.isFull ? [] : state.readers.takeAll())
            }
            for reader in readers { reader.resume() }
            if entry != nil || isOver { return entry }
            await state.wait(in: \.takers) { !$0.waiting.isEmpty || $0.isStopped }
        }
        return nil
    }

    /// Nothing more is read.
    func stop() {
        // In this order: whom the bell wakes must not take what was cut off for a whole list.
        wake { $0.isStopped = true }
        bell.ring()
    }

    private static func entry(_ text: String, _ names: inout PictureNames) -> Entry {
        let source = Result { () throws(UsageError) in try PictureSource(text) }
        let name = (try? source.get()).map { names.next($0.url) } ?? ""
        return Entry(text: text, source: source, name: name)
    }

    /// Changes the state, and wakes those who wait for that.
    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.takers.takeAll() + (state.isStopped ? state.readers.takeAll() : [])
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Texts that wait for being taken, first come, first served; bounded by those who look at
/// ``isFull``.
private struct Backlog {
    private var texts: [String] = []
    private var taken = 0
    private var bytes = 0

    /// What is read ahead at most, but for the rest of a piece that has been read: the whole of most
    /// lists, so that their length is known.
    private static let mostTexts = 10_000
    private static let mostBytes = 1_000_000

    var isEmpty: Bool { taken == texts.count }

    var isFull: Bool { texts.count - taken >= Self.mostTexts || bytes >= Self.mostBytes }

    mutating func append(_ text: String) {
        texts.append(text)
        bytes += text.utf8.count
    }

    mutating func removeFirst() -> String? {
        guard taken < texts.count else { return nil }
        let text = texts[taken]
        texts[taken] = ""
        bytes -= text.utf8.count
        taken += 1
        // Moved together now and then, which costs each text a constant.
        if taken * 2 > texts.count {
            texts.removeFirst(taken)
            taken = 0
        }
        return text
    }
}
