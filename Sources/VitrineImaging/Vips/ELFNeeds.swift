import Glibc

/// Which libraries a shared library names as needed, read from its file without loading it.
///
/// Of 64-bit little-endian ELF files; the structures are those of the System V ABI, chapters 4 and 5.
enum ELFNeeds {
    /// More than any library has of what is read here.
    private static let limit = 16 << 20
    /// Of a file, in the systems at hand.
    private static let longestName = 256

    /// The names in their order; nil if the file cannot be read, or is no such library.
    static func names(in path: String) -> [String]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // ELF, of 64 bits, little-endian.
        guard let head = Part(file, at: 0, count: 64),
            head.bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = head.number(at: 32, size: 8), let width = head.number(at: 54, size: 2),
            let count = head.number(at: 56, size: 2), width >= 56,
            let segments = Part(file, at: table, count: width * count)
        else { return nil }
        var loaded: [(address: Int, offset: Int, size: Int)] = []
        var dynamic: Part?
        for start in stride(from: 0, to: segments.bytes.count, by: width) {
            guard let type = segments.number(at: start, size: 4),
                let offset = segments.number(at: start + 8, size: 8),
                let address = segments.number(at: start + 16, size: 8),
                let size = segments.number(at: start + 32, size: 8)
            else { return nil }
            if type == 1 { loaded.append((address, offset, size)) }  // PT_LOAD
            if type == 2 { dynamic = Part(file, at: offset, count: size) }  // PT_DYNAMIC
        }
        guard let dynamic else { return nil }
        var needed: [Int] = []
        var strings: (address: Int, size: Int) = (0, 0)
        for start in stride(from: 0, to: dynamic.bytes.count, by: 16) {
            guard let tag = dynamic.number(at: start, size: 8),
                let value = dynamic.number(at: start + 8, size: 8)
            else { continue }
            switch tag {
            case 1: needed.append(value)  // DT_NEEDED
            case 5: strings.address = value  // DT_STRTAB
            case 10: strings.size = value  // DT_STRSZ
            default: break
            }
        }
        let home = loaded.first {
            strings.address >= $0.address && strings.address - $0.address < $0.size
        }
        // The names stand together in a table that holds those of all symbols, too.
        guard let home else { return nil }
        guard let first = needed.min(), let last = needed.max() else { return [] }
        guard last < strings.size, last < limit,
            let texts = Part(
                file, at: home.offset &+ strings.address &- home.address &+ first,
                count: min(strings.size, last + longestName) - first)
        else { return nil }
        return needed.map { start in
            let name = texts.bytes[(start - first)...].prefix { $0 != 0 }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// Some bytes of a file.
    private struct Part {
        let bytes: [UInt8]

        /// Nil unless the file has all of them.
        init?(_ file: Int32, at offset: Int, count: Int) {
            guard offset >= 0, (1...ELFNeeds.limit).contains(count) else { return nil }
            bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
            }
            guard bytes.count == count else { return nil }
        }

        /// A number of `size` bytes; nil if it is not there, or too large to be one of these.
        func number(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, offset + size <= bytes.count else { return nil }
            let value = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) {
                $0 << 8 | UInt64($1)
            }
            return Int(exactly: value)
        }
    }
}
