import Glibc

/// The markers of a JPEG up to its end, wherever that is: other bytes may follow it.
enum JPEGOutline {
    /// More scans than any sensible file has: progressive ones have about ten. A scan can be a few bytes,
    /// and is work over all pixels, which cannot be stopped.
    private static let mostScans = 100

    /// One pass over the file, so for files that failed only.
    static func hasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool { walk(bytes) { true } }

    /// Refuses a file with more scans than any picture needs; one pass over the file.
    static func checkScans(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        var scans = 0
        _ = walk(bytes) {
            scans += 1
            return scans <= mostScans
        }
        guard scans <= mostScans else {
            throw .tooLarge(what: .scans, found: scans, limit: mostScans)
        }
    }

    /// Follows the segments and skips the compressed data (ITU-T T.81, B.1.1), until `scan`, which is
    /// asked at the beginning of each scan, says no; whether the end marker was found.
    private static func walk(_ bytes: UnsafeRawBufferPointer, scan: () -> Bool) -> Bool {
        let reader = ByteReader(bytes)
        var offset = 2
        while offset < reader.count {
            // Compressed data, or what should not be there.
            guard reader[offset] == 0xFF else {
                guard let start = bytes.baseAddress,
                    let next = memchr(start + offset, 0xFF, reader.count - offset)
                else { return false }
                offset = next - UnsafeMutableRawPointer(mutating: start)
                continue
            }
            guard let marker = reader.byte(at: offset + 1) else { return false }
            switch marker {
            case 0xD9: return true
            case 0xFF: offset += 1  // fill
            case 0, 1, 0xD0...0xD8: offset += 2  // no segment
            default:
                if marker == 0xDA, !scan() { return false }
                guard let length = reader.big16(at: offset + 2) else { return false }
                offset += 2 + max(2, length)
            }
        }
        return false
    }
}
