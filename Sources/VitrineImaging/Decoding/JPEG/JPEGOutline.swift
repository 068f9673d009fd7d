/// Whether a JPEG has its end, wherever that is: other bytes may follow it.
enum JPEGOutline {
    /// Follows the segments and skips the compressed data up to the end marker (ITU-T T.81, B.1.1):
    /// one pass over the file, so for files that failed only.
    static func hasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let reader = ByteReader(bytes)
        var offset = 2
        while offset < reader.count {
            // Compressed data, or what should not be there.
            guard reader[offset] == 0xFF, let marker = reader.byte(at: offset + 1) else {
                offset += 1
                continue
            }
            switch marker {
            case 0xD9: return true
            case 0xFF: offset += 1  // fill
            case 0, 1, 0xD0...0xD8: offset += 2  // no segment
            default:
                guard let length = reader.big16(at: offset + 2) else { return false }
                offset += 2 + max(2, length)
            }
        }
        return false
    }
}
