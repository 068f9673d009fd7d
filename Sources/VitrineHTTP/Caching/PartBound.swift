/// How much a store keeps of responses that were cut off.
package enum PartBound {
    /// The most responses.
    package static let responses = 16
    /// The share of the store's bound that all of them may take: one half.
    package static let share = 2

    /// A part as a store lists it.
    package struct Item: Sendable, Hashable {
        /// What the parts of one response have in common.
        package let owner: String
        package let bytes: Int
        /// When its head came, in seconds since 1970.
        package let receivedAt: Double

        package init(owner: String, bytes: Int, receivedAt: Double) {
            self.owner = owner
            self.bytes = bytes
            self.receivedAt = receivedAt
        }
    }

    /// The owners whose parts have to go before another part is stored; nil if it would not fit even
    /// then.
    ///
    /// - Parameter bound: the most bytes of the whole store.
    package static func surplus(of items: [Item], for new: Item, bound: Int) -> [String]? {
        var others: [String: (bytes: Int, receivedAt: Double)] = [:]
        var left = bound / share - new.bytes
        for item in items {
            guard item.owner != new.owner else {
                left -= item.bytes
                continue
            }
            let known = others[item.owner] ?? (0, item.receivedAt)
            others[item.owner] = (known.bytes + item.bytes, max(known.receivedAt, item.receivedAt))
        }
        guard left >= 0 else { return nil }
        let newestFirst = others.sorted { $0.value.receivedAt > $1.value.receivedAt }
        var surplus: [String] = []
        var count = 1
        for (owner, sum) in newestFirst {
            let isYoung = abs(new.receivedAt - sum.receivedAt) < Resumption.lifetime
            if isYoung, count < responses, sum.bytes <= left {
                left -= sum.bytes
                count += 1
            } else {
                surplus.append(owner)
            }
        }
        return surplus
    }
}
