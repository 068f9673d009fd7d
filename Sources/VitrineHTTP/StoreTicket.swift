/// A cache's offer to store a response.
///
/// Whoever has read the whole body and accepted it (decoded the image, say) hands it over; a body
/// that nobody accepts is not stored.
public struct StoreTicket: Sendable {
    private let action: @Sendable (BodySpool) async -> Bool

    /// A ticket that does `store` with the body, which says whether it is stored now.
    public init(store: @escaping @Sendable (BodySpool) async -> Bool) {
        action = store
    }

    /// Stores the body; returns when that is done or has failed, which is no error for the caller, and
    /// says which of the two.
    @discardableResult
    public func store(_ body: BodySpool) async -> Bool {
        await action(body)
    }
}
