/// Entries that wait for one transaction which they share.
///
/// A transaction costs a file lock and whole pages, however few rows it changes, so calls that wait at
/// the same time are committed together: once all that were announced have joined, or a transaction is
/// full. Entries of one key keep the order in which they were announced. A value without I/O; whoever is
/// handed a batch commits it and then asks for the next.
package struct CommitLine<Entry> {
    /// The place of an entry in the line.
    package struct Place: Sendable {
        fileprivate let number: Int
        fileprivate let key: String
    }

    /// The most entries of one transaction, so that others need not wait long for the index.
    private let limit: Int
    private var nextNumber = 0
    /// Announced and not here yet, by key, in the order of their numbers.
    private var coming: [String: [Int]] = [:]
    private var waiting: [(place: Place, entry: Entry)] = []
    private var isCommitting = false

    package init(limit: Int) { self.limit = max(1, limit) }

    /// Somebody is about to join, or to withdraw.
    package mutating func announce(_ key: String) -> Place {
        let place = Place(number: nextNumber, key: key)
        nextNumber += 1
        coming[key, default: []].append(place.number)
        return place
    }

    /// An entry that was announced can be committed. Returns what the caller is to commit now, nil if
    /// others will.
    package mutating func join(_ entry: Entry, at place: Place) -> [Entry]? {
        leave(place)
        // Behind those that were announced earlier; most join in that order.
        let index = waiting.lastIndex { $0.place.number < place.number }.map { $0 + 1 } ?? 0
        waiting.insert((place, entry), at: index)
        return nextBatch()
    }

    /// An entry that was announced will not come. Returns what the caller is to commit now.
    package mutating func withdraw(_ place: Place) -> [Entry]? {
        leave(place)
        return nextBatch()
    }

    /// The batch that was handed out is dealt with. Returns the next one.
    package mutating func committed() -> [Entry]? {
        isCommitting = false
        return nextBatch()
    }

    /// What waits now, for somebody whose work must not come before it. Returns what the caller is to
    /// commit, nil if nothing waits or others are at it.
    package mutating func hurry() -> [Entry]? { nextBatch(waitingForOthers: false) }

    private mutating func leave(_ place: Place) {
        guard var numbers = coming.removeValue(forKey: place.key) else { return }
        numbers.removeAll { $0 == place.number }
        if !numbers.isEmpty { coming[place.key] = numbers }
    }

    private mutating func nextBatch(waitingForOthers: Bool = true) -> [Entry]? {
        guard !isCommitting, !waitingForOthers || coming.isEmpty || waiting.count >= limit
        else { return nil }
        var batch: [Entry] = []
        var rest: [(place: Place, entry: Entry)] = []
        for (place, entry) in waiting {
            // What follows an entry of its key that is still coming stays behind it.
            let isFirst = coming[place.key]?.first.map { place.number < $0 } ?? true
            if batch.count < limit, isFirst {
                batch.append(entry)
            } else {
                rest.append((place, entry))
            }
        }
        guard !batch.isEmpty else { return nil }
        waiting = rest
        isCommitting = true
        return batch
    }
}
