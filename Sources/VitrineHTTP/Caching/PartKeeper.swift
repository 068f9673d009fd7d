import FoundationEssentials
import VitrineBase

/// Keeps in a store what has arrived of one response, part after part, so that no byte is written
/// twice, however often the transfer is cut off.
final class PartKeeper: Sendable {
    /// The longest part, and so the most that stands in memory at a time.
    private static let partLimit = 4 << 20
    /// A transfer that has not ended after so many nanoseconds is written down so often.
    private static let interval: UInt64 = 2_000_000_000

    private struct Progress {
        /// How many bytes the store has.
        var stored: Int
        var isFirst: Bool
        /// Whether the store has taken all that it was given.
        var isOpen = true
        var writtenAt: UInt64
    }

    private let store: any ResponseStore
    private let key: ResponseKey
    private let head: StoredResponse.Head
    private let total: Int?
    private let time: TimeSource
    private let progress: Lock<Progress>

    /// - Parameters:
    ///   - head: that of the whole.
    ///   - stored: how many bytes of it are in the store already.
    init(
        _ head: StoredResponse.Head, for key: ResponseKey, in store: any ResponseStore, stored: Int,
        time: TimeSource
    ) {
        self.store = store
        self.key = key
        self.head = head
        self.time = time
        total = Resumption.total(of: head)
        progress = Lock(Progress(stored: stored, isFirst: stored == 0, writtenAt: time.uptime))
    }

    /// Whether it is time to write down what has arrived: not for what comes fast, and the more is
    /// stored, the more must be new, so that a long transfer makes few parts.
    func isDue(arrived: Int) -> Bool {
        progress.withLock { progress in
            progress.isOpen
                && arrived - progress.stored >= max(Resumption.leastBytes * 4, progress.stored / 16)
                && time.uptime &- progress.writtenAt >= Self.interval
        }
    }

    /// Stores what the body has beyond what is stored. One call at a time.
    func keep(_ body: BodySpool) async {
        let arrived = body.count
        let (stored, isFirst, isOpen) = progress.withLock { ($0.stored, $0.isFirst, $0.isOpen) }
        guard isOpen, arrived - stored >= Resumption.leastBytes else { return }
        // What there was is of another version, or was not to be read.
        if isFirst { await discard() }
        var start = stored
        while start < arrived {
            let count = min(Self.partLimit, arrived - start)
            guard let bytes = try? await body.bytes(from: start, count: count),
                bytes.count == count
            else { break }
            let range = ContentRange(bytes: start..<start + count, total: total)
            guard await store.storePart(Resumption.part(of: head, range), bytes, for: key) else {
                progress.withLock { $0.isOpen = false }
                break
            }
            start += count
        }
        let now = time.uptime
        progress.withLock { progress in
            progress.stored = start
            progress.isFirst = false
            progress.writtenAt = now
        }
    }

    /// Forgets what is stored of the response, if anything is.
    func discardStored() async {
        if progress.withLock({ $0.stored > 0 }) { await discard() }
    }

    private func discard() async {
        let variant = Resumption.part(of: head, ContentRange(bytes: 0..<1, total: nil)).variant
        await store.removeParts(variant: variant, for: key)
    }
}
