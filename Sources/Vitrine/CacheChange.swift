public import FoundationEssentials

/// Something that has happened to what a loader's caches hold.
public enum CacheChange: Sendable, Hashable {
    /// Other bytes have taken the place of those that were stored for the URL, the one that was asked
    /// for them; images that were made of the old ones are no longer in memory.
    case replaced(URL)
    /// The picture at the URL was removed by the program, from memory and disk.
    case removed(URL)
    /// All pictures were removed; or more has happened than a slow listener is told one by one.
    case everything
}

/// What a listener has still to be told: each URL's newest change once, in the order in which they
/// came, and one word for all if these are too many.
struct ChangeQueue: Sendable {
    /// More than this are told as one.
    static let limit = 64

    private var waiting: [CacheChange] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ change: CacheChange) {
        waiting.removeAll { change == .everything || $0.url == change.url }
        waiting.append(change)
        if waiting.count > Self.limit { waiting = [.everything] }
    }

    mutating func next() -> CacheChange? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension CacheChange {
    fileprivate var url: URL? {
        switch self {
        case .replaced(let url), .removed(let url): url
        case .everything: nil
        }
    }
}
