/// The chunks of a PNG one after the other (PNG 3rd edition, 5.3), as far as they are whole.
struct PNGChunks {
    struct Chunk {
        let kind: String
        /// Where it begins, with its length.
        let start: Int
        let length: Int

        var body: Int { start + 8 }
        var end: Int { start + 12 + length }

        /// Whether its checksum is right.
        func isIntact(in bytes: UnsafeRawBufferPointer) -> Bool {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start + 4..<body + length])
            return bytes.bigEndian32(at: body + length) == Int(CRC32.of(part))
        }
    }

    private let bytes: UnsafeRawBufferPointer
    /// Behind the last chunk.
    private(set) var offset: Int

    /// The chunks from `offset` on; the first ones stand behind the signature of 8 bytes.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 8) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func next() -> Chunk? {
        guard let length = bytes.bigEndian32(at: offset), bytes.count - offset - 12 >= length else {
            return nil
        }
        let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
        defer { offset += 12 + length }
        return Chunk(kind: kind, start: offset, length: length)
    }
}
