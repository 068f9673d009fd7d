/// Who waits, and who is next: by priority, then by the order, but nobody is passed over for ever. A
/// pure state machine.
///
/// Whoever waits has a number, and a smaller one has waited longer. After ``patience`` others have gone
/// before the one that has waited longest, that one is next, whatever its priority.
///
/// Everything takes constant time on average, but for a change of priority, which takes time in
/// proportion to those that wait at the new one.
struct WaitingLine {
    /// How many may go before the one that has waited longest.
    static let patience = 16

    private let order: AdmissionOrder
    private var priorities: [UInt64: LoadPriority] = [:]
    private var lines = LoadPriority.allCases.map { _ in NumberLine() }
    private var everybody = NumberLine()
    /// How many have gone before the one that has waited longest.
    private var passedOver = 0

    init(order: AdmissionOrder = .firstInFirstOut) {
        self.order = order
    }

    var isEmpty: Bool { priorities.isEmpty }
    var count: Int { priorities.count }

    func priority(of number: UInt64) -> LoadPriority? { priorities[number] }

    /// Somebody begins to wait; a number is used once.
    mutating func insert(_ number: UInt64, _ priority: LoadPriority) {
        priorities[number] = priority
        lines[priority.rawValue].insert(number)
        everybody.insert(number)
    }

    /// Somebody gives up; false if nobody of that number waits.
    @discardableResult
    mutating func remove(_ number: UInt64) -> Bool {
        guard let priority = priorities.removeValue(forKey: number) else { return false }
        if number == everybody.first { passedOver = 0 }
        lines[priority.rawValue].remove(number)
        everybody.remove(number)
        return true
    }

    /// False if nobody of that number waits, or with that priority already.
    @discardableResult
    mutating func reprioritise(_ number: UInt64, _ priority: LoadPriority) -> Bool {
        guard let old = priorities[number], old != priority else { return false }
        priorities[number] = priority
        lines[old.rawValue].remove(number)
        lines[priority.rawValue].insert(number)
        return true
    }

    /// The one that has waited longest.
    var oldest: UInt64? { mutating get { everybody.first } }

    /// Who is to go next.
    var next: UInt64? {
        mutating get { passedOver >= Self.patience ? everybody.first : best }
    }

    /// Who would be next if age did not count.
    var best: UInt64? {
        mutating get {
            for line in lines.indices.reversed() {
                switch order {
                case .firstInFirstOut: if let number = lines[line].first { return number }
                case .lastInFirstOut: if let number = lines[line].last { return number }
                }
            }
            return nil
        }
    }

    /// Somebody goes; usually, but not necessarily, the one who is next.
    mutating func take(_ number: UInt64) {
        passedOver += 1
        remove(number)
    }
}
