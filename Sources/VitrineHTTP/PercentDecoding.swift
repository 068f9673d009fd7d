package import FoundationEssentials

/// The bytes that a percent-encoded text stands for (RFC 3986, section 2.1); nil if there is a `%` without
/// two digits behind it.
package func percentDecoded(_ text: Substring) -> Data? {
    var result = Data()
    result.reserveCapacity(text.utf8.count)
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
        guard byte == UInt8(ascii: "%") else {
            result.append(byte)
            continue
        }
        guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit)
        else { return nil }
        result.append(high << 4 | low)
    }
    return result
}

private func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}

extension URL {
    /// The path as the system knows it: bytes, which need not be UTF-8 and for which Foundation has no path
    /// then.
    package var pathBytes: [UInt8] {
        let path = path()
        return percentDecoded(path[...]).map { [UInt8]($0) } ?? [UInt8](path.utf8)
    }
}
