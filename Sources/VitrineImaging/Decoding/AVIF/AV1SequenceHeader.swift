/// The size in an AV1 sequence header (AV1 bitstream specification, 5.5), which a container may
/// contradict.
///
/// libavif would scale what is decoded to what the container says, however large.
struct AV1SequenceHeader {
    let size: PixelSize

    /// Nil if `data` does not begin with one; a temporal delimiter may stand before it.
    init?(_ data: ByteReader) {
        var offset = 0
        for _ in 0..<4 {
            guard let head = data.byte(at: offset) else { return nil }
            offset += head & 4 != 0 ? 2 : 1
            // Without a size the unit extends to the end.
            guard head & 2 != 0 else {
                guard head >> 3 & 15 == 1, let size = Self.size(Bits(data.rest(from: offset)))
                else { return nil }
                self.size = size
                return
            }
            guard let length = Self.leb128(data, &offset) else { return nil }
            if head >> 3 & 15 == 1 {
                guard let body = data.part(at: offset, count: length),
                    let size = Self.size(Bits(body))
                else { return nil }
                self.size = size
                return
            }
            guard data.has(length, at: offset) else { return nil }
            offset += length
        }
        return nil
    }

    private static func size(_ header: Bits) -> PixelSize? {
        var bits = header
        _ = bits.take(4)  // profile, still picture
        if bits.take(1) == 1 {
            _ = bits.take(5)  // level
        } else {
            guard skipOperatingPoints(&bits) else { return nil }
        }
        let (across, down) = (bits.take(4) + 1, bits.take(4) + 1)
        let size = PixelSize(width: bits.take(across) + 1, height: bits.take(down) + 1)
        return bits.isWithin ? size : nil
    }

    private static func skipOperatingPoints(_ bits: inout Bits) -> Bool {
        var delayBits: Int?
        if bits.take(1) == 1 {  // timing information
            _ = bits.take(32)
            _ = bits.take(32)
            if bits.take(1) == 1 {
                var zeros = 0  // uvlc
                while bits.isWithin, bits.take(1) == 0 { zeros += 1 }
                guard zeros < 32 else { return false }
                _ = bits.take(zeros)
            }
            if bits.take(1) == 1 {  // decoder model
                delayBits = bits.take(5) + 1
                _ = bits.take(32)
                _ = bits.take(10)
            }
        }
        let hasDisplayDelay = bits.take(1) == 1
        for _ in 0...bits.take(5) {
            _ = bits.take(12)
            if bits.take(5) > 7 { _ = bits.take(1) }
            if let delayBits, bits.take(1) == 1 {
                _ = bits.take(delayBits)
                _ = bits.take(delayBits)
                _ = bits.take(1)
            }
            if hasDisplayDelay, bits.take(1) == 1 { _ = bits.take(4) }
        }
        return true
    }

    private static func leb128(_ data: ByteReader, _ offset: inout Int) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard let byte = data.byte(at: offset) else { return nil }
            offset += 1
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// Bits one after the other, the highest of a byte first; zeros behind the end.
    private struct Bits {
        private let bytes: ByteReader
        private var position = 0

        init(_ bytes: ByteReader) {
            self.bytes = bytes
        }

        var isWithin: Bool { position <= bytes.count * 8 }

        /// The next bits, at most 32, as a number.
        mutating func take(_ count: Int) -> Int {
            var value = 0
            for _ in 0..<count {
                value = value << 1 | Int(bytes[position >> 3] >> (7 - position & 7) & 1)
                position += 1
            }
            return value
        }
    }
}
