/// Entries that wait for one transaction which they share.
///
/// A transaction costs a file lock and whole pages, however few rows it changes, so calls that wait at
/// the same time are committed together: once all that were announced have joined, or a transaction is
/// full, by number or by bytes. Entries of one key keep the order in which they were announced. A value
/// without I/O; whoever is handed a batch commits it and then asks for the next.
package struct CommitLine<Entry> {
    /// The place of an entry in the line.
    package struct Place: Sendable {
        fileprivate let number: Int
        fileprivate let key: String
    }

    /// The most entries of one transaction, so that others need not wait long for the index.
    private let limit: Int
    /// The most bytes of one transaction, unless a single entry has more: they are written to the journal
    /// at once, or lie in files that nothing counts yet.
    private let byteLimit: Int
    private var nextNumber = 0
    /// Announced and not here yet, by key, in the order of their numbers.
    private var coming: [String: [Int]] = [:]
    private var waiting: [(place: Place, entry: Entry, bytes: Int)] = []
    private var waitingBytes = 0
    private var isCommitting = false

    package init(limit: Int, byteLimit: Int) {
        self.limit = max(1, limit)
        self.byteLimit = max(0, byteLimit)
    }

    /// Somebody is about to join, or to withdraw.
    package mutating func announce(_ key: String) -> Place {
        let place = Place(number: nextNumber, key: key)
        nextNumber += 1
        coming[key, default: []].append(place.number)
        return place
    }

    /// An entry that was announced can be committed. Returns what the caller is to commit now, nil if
    /// others will.
    ///
    /// - Parameter bytes: how many the entry has; what is more than a transaction holds counts as that.
    package mutating func join(_ entry: Entry, of bytes: Int, at place: Place) -> [Entry]? {
        leave(place)
        // Behind those that were announced earlier; most join in that order.
        let index = waiting.lastIndex { $0.place.number < place.number }.map { $0 + 1 } ?? 0
        let bytes = min(max(0, bytes), byteLimit)
        waiting.insert((place, entry, bytes), at: index)
        waitingBytes += bytes
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
        let isFull = waiting.count >= limit || waitingBytes >= byteLimit
        guard !isCommitting, !waitingForOthers || coming.isEmpty || isFull else { return nil }
        var batch: [Entry] = []
        var bytes = 0
        var rest: [(place: Place, entry: Entry, bytes: Int)] = []
        var keysOfRest: Set<String> = []
        for one in waiting {
            // What follows an entry of its key that is still coming, or that stays, stays behind it.
            let isFirst = coming[one.place.key]?.first.map { one.place.number < $0 } ?? true
            let fits = batch.isEmpty || batch.count < limit && bytes + one.bytes <= byteLimit
            if isFirst, fits, !keysOfRest.contains(one.place.key) {
                batch.append(one.entry)
                bytes += one.bytes
            } else {
                rest.append(one)
                keysOfRest.insert(one.place.key)
            }
        }
        guard !batch.isEmpty else { return nil }
        waiting = rest
        waitingBytes -= bytes
        isCommitting = true
        return batch
    }
}
