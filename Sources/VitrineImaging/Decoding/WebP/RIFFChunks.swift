/// The chunks of a RIFF file one after the other (RFC 9649, 2.3), as far as they are whole.
struct RIFFChunks {
    struct Chunk {
        let kind: String
        let body: Range<Int>

        var start: Int { body.lowerBound }
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// Those between two offsets, which come from the file and may be in any order.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = min(end, bytes.count)
    }

    mutating func next() -> Chunk? {
        guard end - offset >= 8, let length = bytes.littleEndian32(at: offset + 4),
            end - offset - 8 >= length
        else { return nil }
        let kind = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
        let start = offset + 8
        offset = start + length + length & 1
        return Chunk(kind: kind, body: start..<start + length)
    }
}
