public import FoundationEssentials

/// Where an ``HTTPCache`` keeps responses, several under one key where `Vary`, ranges or errors tell
/// them apart.
///
/// A store is one thing that several may hold, so it is a class or an actor. It may forget anything at any time, and its own troubles (a full disk, a broken file) are
/// its own: to the cache they are misses, never errors.
public protocol ResponseStore: AnyObject, Sendable {
    /// What `choice` picks among the heads that are stored under the key, with its whole body; nil
    /// if nothing is stored or picked.
    ///
    /// The choice is quick and may be made more than once.
    func response(
        for key: ResponseKey,
        choosing choice: @escaping @Sendable ([StoredResponse.Head]) -> Int?
    ) async -> StoredResponse?

    /// The heads of all that is stored under the key, in any order.
    func heads(for key: ResponseKey) async -> [StoredResponse.Head]

    /// Stores a response whose body is complete, in place of the one of the same
    /// ``StoredResponse/Head/variant``; says whether it is stored now.
    @discardableResult
    func store(_ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey) async -> Bool

    /// Replaces a head and leaves its body, after a 304 (RFC 9111, section 4.3.4); does nothing if
    /// `old` is no longer what is stored, since then the body need not be the one that it was.
    func replace(
        _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey) async

    /// Forgets one variant of what is stored under the key.
    func remove(variant: String, for key: ResponseKey) async

    /// Forgets all that is stored for the URL, whatever the variant and the partition: what lies under
    /// its keys (``ResponseKey/shared(by:)``), and what lies under names and came from it
    /// (``StoredResponse/Head/url``).
    func removeAll(for url: URL) async

    /// Forgets all that is stored under a name (``ResponseKey/prefix(named:)``).
    func removeAll(named name: String) async

    /// Forgets everything.
    func removeAll() async

    /// Where the responses under a key lie and how large they are, beside their heads, in any order;
    /// no body is read.
    func records(for key: ResponseKey) async -> [StoredRecord]

    // MARK: What was cut off

    /// The heads of the parts under the key that were stored by ``storePart(_:_:for:)``, in any order.
    func parts(for key: ResponseKey) async -> [StoredResponse.Head]

    /// The bytes of a part; nil if it is not there any more, or damaged.
    func part(_ head: StoredResponse.Head, for key: ResponseKey) async -> Data?

    /// Stores a part of a response that was cut off: the head is a 206 with its `Content-Range`. It
    /// is no answer, so ``response(for:choosing:)`` and ``heads(for:)`` do not know it.
    ///
    /// A store keeps few of them: the stores of this library 16 responses in half of their bound. What
    /// was not gone on with for longest goes first. Every kind of removal takes them too.
    ///
    /// - Returns: false if the part was not stored; then no later one of the same response need be.
    func storePart(
        _ head: StoredResponse.Head, _ bytes: Data, for key: ResponseKey
    ) async -> Bool

    /// Forgets the parts of that ``StoredResponse/Head/variant``.
    func removeParts(variant: String, for key: ResponseKey) async
}

/// By default a store keeps nothing that was cut off.
extension ResponseStore {
    public func parts(for key: ResponseKey) async -> [StoredResponse.Head] { [] }
    public func part(_ head: StoredResponse.Head, for key: ResponseKey) async -> Data? { nil }
    public func storePart(
        _ head: StoredResponse.Head, _ bytes: Data, for key: ResponseKey
    ) async -> Bool { false }
    public func removeParts(variant: String, for key: ResponseKey) async {}
}

extension ResponseStore {
    /// The heads alone, for a store that knows no more.
    public func records(for key: ResponseKey) async -> [StoredRecord] {
        await heads(for: key).map { StoredRecord(head: $0) }
    }
}

/// What a store tells of a response without reading its body.
public struct StoredRecord: Sendable, Hashable {
    /// Its head.
    public var head: StoredResponse.Head
    /// The body's length in bytes, where known.
    public var size: Int?
    /// The file that holds the body, if it has one of its own.
    public var path: String?

    /// What is known of a response.
    public init(head: StoredResponse.Head, size: Int? = nil, path: String? = nil) {
        self.head = head
        self.size = size
        self.path = path
    }
}
