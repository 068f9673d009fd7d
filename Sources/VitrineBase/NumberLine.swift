/// A set of numbers of which the smallest and the largest are found at once.
///
/// Inserting in ascending order, removing and both ends take constant time on average; a number that
/// comes in between moves those above it.
struct NumberLine {
    private var members: Set<UInt64> = []
    /// All members in ascending order from `head` on, and some that are none any more.
    private var numbers: [UInt64] = []
    private var head = 0

    var isEmpty: Bool { members.isEmpty }

    mutating func insert(_ number: UInt64) {
        guard members.insert(number).inserted else { return }
        // Nearly always at the end.
        var (low, high) = (head, numbers.count)
        if let last = numbers.last, last < number { low = high }
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        // One that comes back may still be there.
        if low == numbers.count || numbers[low] != number { numbers.insert(number, at: low) }
    }

    mutating func remove(_ number: UInt64) {
        guard members.remove(number) != nil else { return }
        guard numbers.count > 2 * members.count + 64 else { return }
        numbers = numbers[head...].filter { members.contains($0) }
        head = 0
    }

    var first: UInt64? {
        mutating get {
            while head < numbers.count, !members.contains(numbers[head]) { head += 1 }
            return head < numbers.count ? numbers[head] : nil
        }
    }

    var last: UInt64? {
        mutating get {
            while head < numbers.count, let last = numbers.last {
                if members.contains(last) { return last }
                numbers.removeLast()
            }
            return nil
        }
    }
}
