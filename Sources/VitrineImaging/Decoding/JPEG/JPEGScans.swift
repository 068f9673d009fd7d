import FoundationEssentials

/// Follows the structure of a JPEG while it arrives, and knows how far it can be shown: a pure state
/// machine (ITU-T T.81, annex B).
///
/// A progressive JPEG describes the whole picture in each of its scans, finer every time; after each
/// complete scan it can be shown. A baseline JPEG cannot until its end.
struct JPEGScans: Sendable {
    enum Kind: Sendable, Hashable {
        /// The frame header has not come yet.
        case unknown
        case progressive
        /// Something that cannot be shown in part, or no JPEG.
        case other
    }

    private enum Place: Sendable {
        case start
        /// Where a marker begins.
        case marker
        /// In the compressed data of a scan.
        case scan
        case end
    }

    private(set) var kind = Kind.unknown
    /// Where the scans that are complete end.
    private(set) var ends: [Int] = []
    private var place = Place.start
    private var position = 0

    /// Looks at what has come since the last time; `bytes` is all that has come so far.
    ///
    /// Each byte is looked at once, but for the few that a marker's segment is short of.
    mutating func advance(over bytes: UnsafeRawBufferPointer) {
        while kind != .other, step(bytes) {}
    }

    /// False if more bytes are needed, or none any more.
    private mutating func step(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch place {
        case .start:
            guard bytes.count >= 2 else { return false }
            guard bytes[0] == 0xFF, bytes[1] == 0xD8 else { return give(up: bytes) }
            position = 2
            place = .marker
            return true
        case .marker: return marker(bytes)
        case .scan: return scan(bytes)
        case .end: return false
        }
    }

    private mutating func marker(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard position < bytes.count else { return false }
        guard bytes[position] == 0xFF else { return give(up: bytes) }
        var code = position + 1
        while code < bytes.count, bytes[code] == 0xFF { code += 1 }  // fill bytes
        guard code < bytes.count else { return false }
        switch bytes[code] {
        case 0xD9:
            place = .end
            return false
        case 0x01, 0xD0...0xD7:  // stand alone
            position = code + 1
            return true
        case 0x00, 0xD8: return give(up: bytes)
        default: break
        }
        guard code + 2 < bytes.count else { return false }
        let length = Int(bytes[code + 1]) << 8 | Int(bytes[code + 2])
        guard length >= 2 else { return give(up: bytes) }
        guard code + length < bytes.count else { return false }
        switch bytes[code] {
        case 0xC2: kind = .progressive
        case 0xC0, 0xC1, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return give(up: bytes)
        case 0xDA:
            guard kind == .progressive else { return give(up: bytes) }
            place = .scan
        default: break
        }
        position = code + 1 + length
        return true
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else {
                position += 1
                continue
            }
            switch bytes[position + 1] {
            case 0x00, 0xD0...0xD7: position += 2  // a data byte of 0xFF, a restart
            case 0xFF: position += 1
            default:
                ends.append(position)
                place = .marker
                return true
            }
        }
        return false
    }

    private mutating func give(up bytes: UnsafeRawBufferPointer) -> Bool {
        kind = .other
        return false
    }
}
