public import FoundationEssentials

/// Something that has happened to what a loader's caches hold.
public enum CacheChange: Sendable, Hashable {
    /// Other bytes have taken the place of those that were stored for the URL, the one that was asked
    /// for them; images that were made of the old ones are no longer in memory.
    case replaced(URL)
    /// The program has removed the picture at the URL, from memory and disk.
    case removed(URL)
    /// The program has removed what lay under a key.
    case removedKey(String)
    /// The program has removed a group.
    case removedGroup(String)
    /// All pictures were removed; or more has happened than a slow listener is told one by one.
    case everything
}

/// What a listener has still to be told: each subject's newest change once, in the order in which they
/// came, and one word for all if these are too many.
struct ChangeQueue: Sendable {
    /// More than this are told as one.
    static let limit = 64

    private var waiting: [CacheChange] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ change: CacheChange) {
        waiting.removeAll { change == .everything || $0.subject == change.subject }
        waiting.append(change)
        if waiting.count > Self.limit { waiting = [.everything] }
    }

    mutating func next() -> CacheChange? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension CacheChange: CustomStringConvertible, CustomReflectable {
    /// What has happened, to the URL without its secrets; keys are not shown.
    public var description: String {
        switch self {
        case .replaced(let url): "replaced \(url.redacted)"
        case .removed(let url): "removed \(url.redacted)"
        case .removedKey: "removed a key"
        case .removedGroup(let name): "removed the group \(name)"
        case .everything: "everything"
        }
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CacheChange {
    /// What it is about.
    fileprivate var subject: String {
        switch self {
        case .replaced(let url), .removed(let url): "url " + url.absoluteString
        case .removedKey(let key): "key " + key
        case .removedGroup(let name): "group " + name
        case .everything: ""
        }
    }
}
