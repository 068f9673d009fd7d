/// The bits of a JPEG's compressed data (ITU-T T.81, F.2.2.5), 64 at a time.
///
/// Every read lies within the bytes. Behind the data zeros follow without end, and are counted, so that
/// the loops need not ask at each bit; ``isWithinData`` tells whether any were used.
struct JPEGBitReader {
    private let start: UnsafePointer<UInt8>
    private let size: Int
    private var position: Int
    /// The next bits, the first one uppermost.
    private var buffer: UInt64 = 0
    /// How many bits are in the buffer.
    private(set) var count = 0
    /// How many zeros were put behind the data.
    private var padding = 0

    /// Bits from `position` on.
    init(_ start: UnsafePointer<UInt8>, size: Int, position: Int) {
        self.start = start
        self.size = size
        self.position = min(max(0, position), size)
    }

    /// Puts at least 56 bits into the buffer; call it while there are fewer than 32.
    @inline(__always)
    mutating func fill() {
        if position <= size &- 8 {
            let word = UInt64(
                bigEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
            // Is any of the eight bytes FF? Then it may be a marker, or a byte with a zero behind it.
            if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                buffer |= word &>> UInt64(truncatingIfNeeded: count)
                let bytes = (63 &- count) &>> 3
                position &+= bytes
                count &+= bytes &* 8
                return
            }
        }
        // By value, so that the reader can stay in registers.
        self = filledByBytes()
    }

    @inline(never)
    private func filledByBytes() -> JPEGBitReader {
        var reader = self
        reader.fillByBytes()
        return reader
    }

    @inline(__always)
    private mutating func fillByBytes() {
        // What is beyond `count` came from the byte that follows, and comes from it again.
        buffer &= ~(UInt64.max &>> UInt64(truncatingIfNeeded: count))
        while count <= 56 {
            var byte: UInt8 = 0
            if padding == 0, position < size {
                byte = start[position]
                if byte != 0xFF {
                    position += 1
                } else if position + 1 < size, start[position + 1] == 0 {
                    position += 2
                } else {
                    byte = 0
                    padding = 8
                }
            } else {
                padding += 8
            }
            buffer |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    /// The next `length` bits, which is 1…32.
    @inline(__always)
    func next(_ length: Int) -> Int {
        Int(truncatingIfNeeded: buffer &>> UInt64(truncatingIfNeeded: 64 &- length))
    }

    /// Passes over bits, no more than there are.
    @inline(__always)
    mutating func drop(_ length: Int) {
        buffer &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// Whether all bits that were used were there.
    var isWithinData: Bool { count >= padding }

    /// Ends a run of data: the marker that must follow, if what is left until then is less than a byte.
    ///
    /// The reader goes on behind it.
    mutating func endAtMarker() -> UInt8? {
        guard count >= padding, count - padding < 8 else { return nil }
        while position < size, start[position] == 0xFF {
            position += 1
            guard position < size else { return nil }
            let marker = start[position]
            if marker == 0xFF { continue }  // a fill byte
            position += 1
            (buffer, count, padding) = (0, 0, 0)
            return marker == 0 ? nil : marker
        }
        return nil
    }
}
