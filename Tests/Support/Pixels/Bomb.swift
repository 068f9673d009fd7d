public import FoundationEssentials

/// Small files that would decode to far more pixels than anybody can hold.
public enum Bomb {
    /// A whole and valid PNG of black pixels, one bit each: 2 MB for 50,000 × 50,000 of them.
    public static func png(width: Int, height: Int) -> Data {
        let rowBytes = 1 + (width + 7) / 8
        let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
        return Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
                + chunk("IHDR", size + [1, 0, 0, 0, 0])
                + chunk("IDAT", zeros(rowBytes * height))
                + chunk("IEND", []))
    }

    /// So many zero bytes as a zlib stream (RFC 1950) of one block with the fixed code (RFC 1951,
    /// section 3.2.6): a zero, then copies of 258 bytes from one byte back, then single zeros.
    private static func zeros(_ count: Int) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(count / 150 + 64)
        var pending: UInt64 = 0
        var pendingBits: UInt64 = 0
        func put(_ bits: UInt64, _ length: UInt64) {
            pending |= bits << pendingBits
            pendingBits += length
            while pendingBits >= 8 {
                stream.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingBits -= 8
            }
        }
        let zero: UInt64 = 0b0000_1100  // codes are sent from their highest bit
        let copy258: UInt64 = 0b1010_0011
        put(0b011, 3)
        if count > 0 { put(zero, 8) }
        for _ in 0..<(max(0, count - 1) / 258) { put(copy258, 13) }
        for _ in 0..<(max(0, count - 1) % 258) { put(zero, 8) }
        put(0, 7)
        if pendingBits > 0 { put(0, 8 - pendingBits) }
        return stream + bigEndian(UInt32(count % 65_521) << 16 | 1)
    }

    private static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + body
        var crc: UInt32 = 0xFFFF_FFFF
        content.withUnsafeBufferPointer { bytes in
            for byte in bytes { crc = crcTable[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
        }
        return bigEndian(UInt32(body.count)) + content + bigEndian(~crc)
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in
            crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1
        }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
