/// Where a TIFF ends: its directories and the strips or tiles that they name lie within the file.
///
/// TIFF 6.0, section 2, and the BigTIFF design, which widens offsets to 64 bits.
enum TIFFOutline {
    /// Follows the directories; what is damaged in another way is left to the decoder.
    static func end(of bytes: UnsafeRawBufferPointer) -> FileOutline.End {
        let reader = Reader(
            bytes: bytes, isBig: bytes.begins([0x2B], at: 2) || bytes.begins([0x2B], at: 3),
            isLittleEndian: bytes.begins("II"))
        var next = reader.isBig ? reader.number(at: 8, size: 8) : reader.number(at: 4, size: 4)
        // A chain that runs in a circle must end too.
        for _ in 0..<10_000 {
            guard let directory = next else { return .missing }
            if directory == 0 { return .present }
            guard reader.dataIsWithin(directory: directory),
                let count = reader.number(at: directory, size: reader.countSize)
            else { return .missing }
            let (length, overflow) = count.multipliedReportingOverflow(by: reader.entrySize)
            guard !overflow, length <= bytes.count else { return .missing }
            next = reader.number(
                at: directory + reader.countSize + length, size: reader.isBig ? 8 : 4)
        }
        return .unknown
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        let isBig: Bool
        let isLittleEndian: Bool

        var countSize: Int { isBig ? 8 : 2 }
        var entrySize: Int { isBig ? 20 : 12 }

        /// An unsigned number; nil beyond the end of the file or of `Int`.
        func number(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count, bytes.count - offset >= size else {
                return nil
            }
            var value: UInt64 = 0
            for index in 0..<size {
                let place = isLittleEndian ? size - 1 - index : index
                value = value << 8 | UInt64(bytes[offset + place])
            }
            return Int(exactly: value)
        }

        /// Whether every strip and tile of the directory lies within the file.
        func dataIsWithin(directory: Int) -> Bool {
            guard let count = number(at: directory, size: countSize) else { return false }
            var offsets: [Int]?
            var lengths: [Int]?
            for index in 0..<min(count, 4096) {
                let entry = directory + countSize + index * entrySize
                guard let tag = number(at: entry, size: 2) else { return false }
                switch tag {
                case 273, 324:  // StripOffsets, TileOffsets
                    guard let list = values(of: entry) else { return false }
                    offsets = list
                case 279, 325:  // StripByteCounts, TileByteCounts
                    guard let list = values(of: entry) else { return false }
                    lengths = list
                default: break
                }
            }
            guard let offsets, let lengths else { return true }
            for (offset, length) in zip(offsets, lengths) {
                guard offset <= bytes.count, bytes.count - offset >= length else { return false }
            }
            return true
        }

        /// The numbers of an entry; nil if they lie beyond the end.
        private func values(of entry: Int) -> [Int]? {
            guard let type = number(at: entry + 2, size: 2),
                let count = number(at: entry + 4, size: isBig ? 8 : 4), count <= bytes.count
            else { return nil }
            let size = [3: 2, 4: 4, 16: 8][type] ?? 4
            let field = isBig ? 8 : 4
            var start = entry + 4 + field
            if size * count > field {
                guard let elsewhere = number(at: start, size: field) else { return nil }
                start = elsewhere
            }
            guard start <= bytes.count, bytes.count - start >= size * count else { return nil }
            var list: [Int] = []
            list.reserveCapacity(count)
            for index in 0..<count {
                guard let value = number(at: start + index * size, size: size) else { return nil }
                list.append(value)
            }
            return list
        }
    }
}
