/// Which of many loads are under way, and whose result is handed out next: a pure value.
///
/// At most ``limit`` have begun whose result was not handed out yet, so that what is kept does not
/// grow with how many there are.
struct BatchWindow<Value: Sendable>: Sendable {
    /// The most that may be begun beyond those handed out; at least 1.
    let limit: Int
    private let order: ImageResults.Order
    private var begun = 0
    private var handedOut = 0
    private var underWay: Set<Int> = []
    private var finished: [Int: Value] = [:]
    /// The numbers of those that are finished, as they came; those before `head` were handed out.
    private var arrivals: [Int] = []
    private var head = 0
    /// Whether no more will begin.
    private(set) var isClosed = false

    init(limit: Int, order: ImageResults.Order) {
        self.limit = max(1, limit)
        self.order = order
    }

    /// Whether one more may begin.
    var hasRoom: Bool { !isClosed && begun - handedOut < limit }

    /// Whether all has been handed out that there will be.
    var isOver: Bool { isClosed && handedOut == begun }

    /// Begins one; returns its number, counted from 0.
    mutating func begin() -> Int {
        defer { begun += 1 }
        underWay.insert(begun)
        return begun
    }

    /// One has ended. Nothing happens if it has ended before; returns whether something can be handed
    /// out by that.
    mutating func finish(_ number: Int, _ value: Value) -> Bool {
        guard underWay.remove(number) != nil else { return false }
        finished[number] = value
        if order == .arrival { arrivals.append(number) }
        return hasNext
    }

    /// The number of the one that is handed out next, if it is there.
    private var nextNumber: Int? {
        switch order {
        case .request: finished[handedOut] == nil ? nil : handedOut
        case .arrival: head < arrivals.count ? arrivals[head] : nil
        }
    }

    /// Whether a result can be handed out.
    var hasNext: Bool { nextNumber != nil }

    /// The next result, if it is there.
    mutating func next() -> Value? {
        guard let number = nextNumber, let value = finished.removeValue(forKey: number) else {
            return nil
        }
        handedOut += 1
        if order == .arrival { head += 1 }
        if head > 64, head > arrivals.count / 2 {
            arrivals.removeFirst(head)
            head = 0
        }
        return value
    }

    /// No more will begin.
    mutating func close() { isClosed = true }
}
