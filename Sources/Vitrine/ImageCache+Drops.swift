public import FoundationEssentials
import VitrineBase
public import VitrineStorage

extension ImageCache {
    /// An image that has left the cache, or was refused. It may still be alive elsewhere.
    public struct Drop: Sendable, Hashable {
        /// Where the picture came from; nil if it was added by a name only.
        public let url: URL?
        /// The identifier with which it was added, if there was one.
        public let identifier: String?
        /// How many bytes it counted.
        public let cost: Int
        /// Why it is gone.
        public let reason: CacheDropReason
    }

    /// Tells what leaves the cache from now on; nothing is worked out unless somebody listens.
    ///
    /// A slow listener hears the newest 1,000. Ends when the iteration does, or with the cache.
    public var drops: AsyncStream<Drop> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1_000)) { continuation in
            let number = listeners.add(continuation)
            continuation.onTermination = { [weak listeners] _ in listeners?.remove(number) }
        }
    }
}

extension ImageCache.Drop: CustomStringConvertible, CustomReflectable {
    /// `capacity, 24576 bytes, https://host/path?q=…`; the identifier is not in it.
    public var description: String {
        "\(reason), \(cost) bytes, \(url?.redacted ?? "added by a name")"
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Those who listen to what leaves a cache.
final class DropListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<ImageCache.Drop>.Continuation] = [:]
        var lastNumber = 0
    }
    private let state = Lock(State())

    deinit {
        for continuation in state.withLock({ $0.continuations.values }) { continuation.finish() }
    }

    func add(_ continuation: AsyncStream<ImageCache.Drop>.Continuation) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.continuations[state.lastNumber] = continuation
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        let continuation = state.withLock { $0.continuations.removeValue(forKey: number) }
        withExtendedLifetime(continuation) {}
    }

    func tell(_ key: ImageKey, _ entry: ImageCache.Entry, _ reason: CacheDropReason) {
        let continuations = state.withLock { Array($0.continuations.values) }
        if continuations.isEmpty { return }
        let drop = ImageCache.Drop(
            url: key.image.flatMap { URL(string: $0.resource.url) }, identifier: key.identifier,
            cost: entry.image.cost, reason: reason)
        for continuation in continuations { continuation.yield(drop) }
    }
}
