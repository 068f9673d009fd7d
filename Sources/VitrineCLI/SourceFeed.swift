import PictureLists
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
        /// Read and not taken, the next one last.
        var waiting = Backlog()
        var takers = Waiters()
        /// One at most.
        var readers = Waiters()
        var isStopped = false
    }

    /// What the one who reads knows of all that came; nobody else waits while a long line is looked at.
    private struct Past {
        var seen: Set<UInt64> = []
        var names = PictureNames()
    }

    private let state = Lock(State())
    private let bell = Bell()
    private let workers = BlockingPool(name: "vitrine-list", threads: 1)

    var count: Count { state.withLock { $0.count } }

    // MARK: Reading

    /// Reads all of the inputs, as they are taken.
    ///
    /// - Parameter complain: is told why a list could not be read, or not to its end.
    func read(_ inputs: [Input], complain: (UsageError) -> Void) async {
        var past = Past()
        for input in inputs {
            switch input {
            case .source(let text): await offer([text], &past)
            case .list(let path):
                do {
                    try await read(path, &past)
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

    private func read(_ path: String, _ past: inout Past) async throws {
        let list = try await workers.run { try ListFile(path) }
        var lines = ListLines()
        while lines.fault == nil, !isStopped {
            let bytes = try await workers.run { [bell] in try list.read(until: bell) }
            if bytes.isEmpty { break }
            await offer(lines.add(bytes), &past)
        }
        await offer(lines.end(), &past)
        // What was cut off by being stopped is no fault.
        if let fault = lines.fault, !isStopped { throw ListFile.refused(path, fault) }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Puts different ones into the queue, and waits until there is room for more.
    private func offer(_ texts: [String], _ past: inout Past) async {
        let new = texts.filter { past.seen.insert(Fingerprint.of($0)).inserted }
        let entries = new.map { Entry($0, &past.names) }
        wake { state in
            guard !state.isStopped else { return }
            state.count.asked += entries.count
            state.count.doubles += texts.count - entries.count
            state.waiting.append(entries)
        }
        await state.wait(in: \.readers) { !$0.waiting.isFull || $0.isStopped }
    }

    // MARK: Taking

    /// The next one, as soon as it is read; nil after the last one, and when the calling task is
    /// cancelled.
    func next() async -> Entry? {
        while !Task.isCancelled {
            let (entry, isOver, readers) = state.withLock { state in
                let entry = state.waiting.removeFirst()
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

    /// Changes the state, and wakes those who wait for that.
    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.takers.takeAll() + (state.isStopped ? state.readers.takeAll() : [])
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension SourceFeed.Entry {
    fileprivate init(_ text: String, _ names: inout PictureNames) {
        self.text = text
        source = Result { () throws(UsageError) in try PictureSource(text) }
        name = (try? source.get()).map { names.next($0.url) } ?? ""
    }
}

/// What waits for being taken, first come, first served; bounded by those who look at ``isFull``.
private struct Backlog {
    private var entries: [SourceFeed.Entry?] = []
    private var taken = 0
    private var bytes = 0

    /// What is read ahead at most, but for the rest of a piece that has been read: the whole of most
    /// lists, so that their length is known.
    private static let mostEntries = 10_000
    private static let mostBytes = 1_000_000

    var isEmpty: Bool { taken == entries.count }

    var isFull: Bool { entries.count - taken >= Self.mostEntries || bytes >= Self.mostBytes }

    mutating func append(_ more: [SourceFeed.Entry]) {
        entries += more
        bytes += more.reduce(0) { $0 + $1.text.utf8.count }
    }

    mutating func removeFirst() -> SourceFeed.Entry? {
        guard taken < entries.count, let entry = entries[taken] else { return nil }
        entries[taken] = nil
        bytes -= entry.text.utf8.count
        taken += 1
        // Moved together now and then, which costs each a constant.
        if taken * 2 > entries.count {
            entries.removeFirst(taken)
            taken = 0
        }
        return entry
    }
}
