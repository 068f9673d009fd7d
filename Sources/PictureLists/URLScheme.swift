/// Whether a text begins with `scheme:` as RFC 3986, section 3.1, has it, of two letters at least; what does
/// not is the path of a file.
package func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count >= 2, scheme.count < text.utf8.count, let first = scheme.first,
        isLetter(first)
    else { return false }
    return scheme.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
}

func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}
