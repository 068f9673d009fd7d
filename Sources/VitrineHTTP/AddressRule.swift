/// Which addresses may be connected.
///
/// The rule is asked about the very address that is about to be connected, after name resolution, so
/// that neither a redirect nor a name that changes its address between check and use gets past it.
public struct AddressRule: Sendable {
    private let rule: (@Sendable (IPAddress) -> Bool)?

    /// Allows what `allows` says; it is called on the transport's own thread and must be quick.
    public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) { rule = allows }

    private init() { rule = nil }

    /// Every address.
    public static let any = AddressRule()

    /// Only addresses of the public internet; see `IPAddress.isPublic`.
    public static let publicOnly = AddressRule { $0.isPublic }

    /// Whether `address` may be connected.
    public func allows(_ address: IPAddress) -> Bool { rule?(address) ?? true }

    var allowsEverything: Bool { rule == nil }
}
