/// Tables that decode one Huffman code of a JPEG (ITU-T T.81, F.2.2): the next ``bits`` bits say what
/// they begin with.
///
/// Where a code and the bits that belong to it are within these, that is a whole coefficient: how many
/// bits it has, how much further it is than the last one, and its value. Else it is the code alone, or
/// not even that. Owns its memory; nothing writes to it after `init`.
final class JPEGLookup {
    /// How many bits are looked up at once.
    static let bits = 12
    /// How many entries each table has.
    static let count = 1 << bits

    /// What the bits begin with.
    struct Entry {
        /// Bits 0…7: how many bits are meant. Bits 8…15: how far the coefficient is from the last one, 1…16,
        /// or one of the marks. Bits 16…31: the value.
        let word: UInt32

        /// The block ends here.
        static let end: UInt32 = 0x40
        /// A code whose further bits, as many as the value says, are outside; the distance is added.
        static let open: UInt32 = 0x80
        /// No code of ``JPEGLookup/bits`` bits or fewer.
        static let unknown: UInt32 = 0xC0

        @inline(__always)
        init(length: Int, distance: UInt32, value: Int = 0) {
            word =
                UInt32(truncatingIfNeeded: length) | distance << 8
                | UInt32(truncatingIfNeeded: value) << 16
        }

        @inline(__always) var length: Int { Int(word & 0xFF) }
        @inline(__always) var distance: Int { Int(word >> 8 & 0xFF) }
        @inline(__always) var value: Int32 { Int32(bitPattern: word) >> 16 }
        @inline(__always) var isWhole: Bool { word & 0xC000 == 0 }
        @inline(__always) var isEnd: Bool { word & 0xC000 == 0x4000 }
        @inline(__always) var isOpen: Bool { word & 0xC000 == 0x8000 }
    }

    /// One or two whole coefficients in a row, or none, and whether the block ends behind them.
    struct Pair {
        /// Bits 0…7: how many bits are meant. Bits 8…15: how far the last coefficient is, more than a block has
        /// places where there is none. Bits 16…23: how far the first one is. Bit 24: the block ends. Bits
        /// 32…47 and 48…63: the values of the first and the second.
        let word: UInt64

        /// Nothing is known.
        static let none = Pair(word: 0x8000)

        @inline(__always) var length: Int { Int(truncatingIfNeeded: word & 0xFF) }
        @inline(__always) var distance: Int { Int(truncatingIfNeeded: word >> 8 & 0xFF) }
        @inline(__always) var firstDistance: Int { Int(truncatingIfNeeded: word >> 16 & 0xFF) }
        @inline(__always) var isEnd: Bool { word & 0x0100_0000 != 0 }
        @inline(__always) var first: Int32 { Int32(truncatingIfNeeded: word >> 16) >> 16 }
        @inline(__always) var second: Int32 {
            Int32(truncatingIfNeeded: Int64(bitPattern: word) >> 48)
        }
    }

    /// What as many coefficients as are known take together: bits 0…7 are their bits, bits 8…15 the
    /// distance, bit 16 says that the block ends behind them.
    struct Skip {
        let word: UInt32

        /// Nothing is known.
        static let none = Skip(word: 0x8000)

        @inline(__always) var length: Int { Int(word & 0xFF) }
        @inline(__always) var distance: Int { Int(word >> 8 & 0xFF) }
        @inline(__always) var isEnd: Bool { word & 0x1_0000 != 0 }
    }

    /// ``count`` entries.
    let entries: UnsafeMutablePointer<Entry>
    /// ``count`` of each, for a code of AC coefficients.
    let pairs: UnsafeMutablePointer<Pair>
    let skips: UnsafeMutablePointer<Skip>
    /// For codes of 13…16 bits: the first 16 bits that are none of them, where the first one is, and the
    /// place of its meaning.
    private let long: [(end: Int, first: Int, index: Int)]
    private let symbols: [UInt8]
    private let isDC: Bool

    init(_ code: JPEGCode, isDC: Bool) {
        symbols = code.symbols
        self.isDC = isDC
        entries = .allocate(capacity: Self.count)
        entries.initialize(
            repeating: Entry(length: 0, distance: Entry.unknown), count: Self.count)
        pairs = .allocate(capacity: Self.count)
        pairs.initialize(repeating: .none, count: Self.count)
        skips = .allocate(capacity: Self.count)
        skips.initialize(repeating: .none, count: Self.count)
        var long: [(end: Int, first: Int, index: Int)] = []
        // The next code, as the upper of 16 bits.
        var next = 0
        var index = 0
        for length in 1...16 {
            let size = 1 << (16 - length)
            let first = next
            let start = index
            for _ in 0..<code.counts[length - 1] {
                if length <= Self.bits {
                    Self.fill(
                        entries, from: next >> (16 - Self.bits), length, code.symbols[index], isDC)
                }
                next += size
                index += 1
            }
            if length > Self.bits { long.append((next, first, start)) }
        }
        self.long = long
        if !isDC {
            fillPairs()
            fillSkips()
        }
    }

    deinit {
        entries.deallocate()
        pairs.deallocate()
        skips.deallocate()
    }

    /// All entries that begin with one code.
    private static func fill(
        _ entries: UnsafeMutablePointer<Entry>, from first: Int, _ length: Int, _ symbol: UInt8,
        _ isDC: Bool
    ) {
        let size = Int(symbol & 15)
        let run = isDC ? 0 : Int(symbol >> 4)
        let room = bits - length
        for rest in 0..<(1 << room) {
            let entry: Entry
            if size == 0 {
                entry =
                    isDC || run == 15
                    ? Entry(length: length, distance: UInt32(run + 1))
                    : Entry(length: length, distance: Entry.end)
            } else if size <= room {
                entry = Entry(
                    length: length + size, distance: UInt32(run + 1),
                    value: Int(extended(rest >> (room - size), size)))
            } else {
                entry = Entry(
                    length: length, distance: Entry.open | UInt32(run + 1), value: size)
            }
            guard first + rest < count else { return }
            entries[first + rest] = entry
        }
    }

    /// The coefficients that `index` begins with, at most `most` of them, and whether the block ends behind
    /// them. Only the bits of `index` are looked at.
    @inline(__always)
    private func coefficients(
        _ index: Int, atMost most: Int, _ body: (Entry) -> Void
    ) -> (length: Int, isEnd: Bool) {
        var length = 0
        var count = 0
        while length < Self.bits {
            let entry = entries[(index << length) & (Self.count - 1)]
            guard entry.isWhole || entry.isEnd, length + entry.length <= Self.bits else { break }
            if entry.isEnd { return (length + entry.length, true) }
            guard count < most else { break }
            length += entry.length
            count += 1
            body(entry)
        }
        return (length, false)
    }

    private func fillPairs() {
        let nothing = Entry(length: 0, distance: 0)
        for index in 0..<Self.count {
            var (first, second, count) = (nothing, nothing, 0)
            let (length, isEnd) = coefficients(index, atMost: 2) { entry in
                if count == 0 { first = entry } else { second = entry }
                count += 1
            }
            guard length > 0 else { continue }
            let low =
                UInt32(length) | UInt32(first.distance + second.distance) << 8
                | UInt32(first.distance) << 16 | (isEnd ? 1 << 24 : 0)
            // The values are in the upper halves of the entries.
            let high = first.word >> 16 | second.word & 0xFFFF_0000
            pairs[index] = Pair(word: UInt64(low) | UInt64(high) << 32)
        }
    }

    private func fillSkips() {
        for index in 0..<Self.count {
            var distance = 0
            let (length, isEnd) = coefficients(index, atMost: Self.bits) { distance += $0.distance }
            guard length > 0, distance < 0x80 else { continue }
            skips[index] = Skip(
                word: UInt32(length) | UInt32(distance) << 8 | (isEnd ? 1 << 16 : 0))
        }
    }

    /// What an entry that is not whole means, given the next 32 bits: a whole one; nil if there is no such
    /// code.
    func complete(_ entry: Entry, _ next: UInt32) -> Entry? {
        var (length, run, size) = (entry.length, entry.distance & 0x1F, Int(entry.value))
        if !entry.isOpen {
            let code = Int(next >> 16)
            guard let place = long.firstIndex(where: { code < $0.end }) else { return nil }
            length = Self.bits + 1 + place
            let index = long[place].index + (code - long[place].first) >> (16 - length)
            guard code >= long[place].first, index < symbols.count else { return nil }
            let symbol = symbols[index]
            size = Int(symbol & 15)
            run = isDC ? 1 : Int(symbol >> 4) + 1
            if size == 0 {
                let isEnd = !isDC && run != 16
                return Entry(length: length, distance: isEnd ? Entry.end : UInt32(run))
            }
        }
        // 16 bits of code and 15 more are in 32.
        let more = Int(next >> (32 - UInt32(length) - UInt32(size))) & (1 << size - 1)
        return Entry(
            length: length + size, distance: UInt32(run), value: Int(Self.extended(more, size)))
    }

    /// The number that `size` further bits mean (F.2.2.1, EXTEND).
    private static func extended(_ bits: Int, _ size: Int) -> Int {
        bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits
    }
}
