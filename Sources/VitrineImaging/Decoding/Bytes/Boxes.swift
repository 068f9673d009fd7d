/// The boxes of a part of a file one after the other (ISO/IEC 14496-12, 4.2), as far as they are whole;
/// the last one may be cut off.
struct Boxes: Sequence, IteratorProtocol {
    struct Box {
        let kind: String
        let body: Range<Int>
    }

    private let bytes: ByteReader
    private var offset = 0

    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    mutating func next() -> Box? {
        guard var size = bytes.big32(at: offset), bytes.has(8, at: offset) else { return nil }
        let kind = String(
            decoding: (4..<8).map { bytes[offset + $0] }, as: UTF8.self)
        var head = 8
        if size == 1 {
            guard let large = bytes.big64(at: offset + 8) else { return nil }
            (size, head) = (large, 16)
        }
        let rest = bytes.count - offset
        if size == 0 || size > rest { size = rest }
        guard size >= head else { return nil }
        defer { offset += size }
        return Box(kind: kind, body: offset + head..<offset + size)
    }

    /// The first box of this kind.
    func first(_ kind: String) -> Box? {
        prefix(1024).first { $0.kind == kind }
    }
}

extension ByteReader {
    /// The body of a box, without its first bytes.
    func part(_ box: Boxes.Box, skipping count: Int = 0) -> ByteReader? {
        part(at: box.body.lowerBound + count, count: box.body.count - count)
    }

    /// A number that must fit into `Int`.
    func big64(at offset: Int) -> Int? {
        guard let high = big32(at: offset), let low = big32(at: offset + 4), high < 0x8000_0000
        else { return nil }
        return high << 32 | low
    }
}
