import CZlib

/// The ICC profile of a PNG, which lies in its iCCP chunk behind a name, compressed (PNG 3rd edition,
/// 11.3.2.3).
enum PNGProfile {
    /// Where the tags that tell of a profile lie, as a rule.
    private static let mostBytes = 65_536

    /// Its first 64 KB, from the body of the chunk; empty if that is broken.
    static func beginning(in chunk: ByteReader) -> [UInt8] {
        guard let end = (0..<80).first(where: { chunk.byte(at: $0) == 0 }),
            chunk.byte(at: end + 1) == 0
        else { return [] }
        return chunk.rest(from: end + 2).withBytes { source in
            [UInt8](unsafeUninitializedCapacity: mostBytes) { memory, count in
                var length = uLongf(mostBytes)
                // Whatever comes of it, what was written by then counts.
                _ = uncompress(
                    memory.baseAddress, &length,
                    source.bindMemory(to: UInt8.self).baseAddress, uLong(source.count))
                count = min(Int(length), mostBytes)
            }
        }
    }
}
