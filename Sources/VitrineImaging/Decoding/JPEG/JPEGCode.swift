/// One Huffman code of a JPEG (ITU-T T.81, annex C).
struct JPEGCode {
    /// How many codes there are of 1 to 16 bits.
    let counts: [Int]
    /// What the codes mean, in the order of the codes.
    let symbols: [UInt8]

    /// The code that begins `segment`; nil if that is none.
    init?(_ segment: ByteReader, isDC: Bool) {
        guard segment.count >= 16 else { return nil }
        let counts = (0..<16).map { Int(segment[$0]) }
        let total = counts.reduce(0, +)
        guard total <= 256, segment.has(total, at: 16) else { return nil }
        symbols = (0..<total).map { segment[16 + $0] }
        self.counts = counts
        // Codes of one length must leave room for longer ones; one of ones alone is not allowed.
        var next = 0
        for (index, count) in counts.enumerated() {
            next += count
            guard count == 0 || next < 1 << (index + 1) else { return nil }
            next <<= 1
        }
        // The difference of two DC coefficients has at most 15 bits (F.1.2.1, and more than it allows).
        guard !isDC || symbols.allSatisfy({ $0 <= 15 }) else { return nil }
    }
}
