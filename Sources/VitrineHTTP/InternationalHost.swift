import FoundationEssentials

/// Host names beyond ASCII, as name servers know them (RFC 5890, RFC 3492).
///
/// Upper case becomes lower case; a character that would have to be mapped to others beyond that is
/// refused, so that no two names that look alike by such a mapping are taken for one.
enum InternationalHost {
    /// The host in ASCII, for example `xn--bcher-kva.example` for `bücher.example`.
    ///
    /// - Parameter host: as a URL has it, percent-encoded.
    /// - Returns: nil if no name server could know it.
    static func ascii(_ host: String) -> String? {
        guard !host.hasPrefix("["), host.utf8.contains(UInt8(ascii: "%")) else { return host }
        guard let text = decoded(host) else { return nil }
        // Whatever curl makes of an escape that need not have been one.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return host }
        let labels = text.split(omittingEmptySubsequences: false) { dots.contains($0) }
        var result: [String] = []
        for label in labels {
            guard let name = ascii(label: String(label)) else { return nil }
            result.append(name)
        }
        let name = result.joined(separator: ".")
        return name.utf8.count <= 253 ? name : nil
    }

    private static let dots: Set<Character> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

    private static func ascii(label: String) -> String? {
        let label = label.lowercased()
        guard label.utf8.contains(where: { $0 >= 0x80 }) else {
            let isName = label.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
                    || byte == 0x5F
            }
            return isName ? label : nil
        }
        guard label.unicodeScalars.allSatisfy(isAllowed), !label.hasPrefix("-"),
            !label.hasSuffix("-"), !label.dropFirst(2).hasPrefix("--"),
            let encoded = punycode(Array(label.unicodeScalars))
        else { return nil }
        return encoded.utf8.count <= 59 ? "xn--" + encoded : nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        // These two are letters of their own since IDNA 2008.
        if scalar == "ß" || scalar == "ς" { return true }
        guard !scalar.properties.changesWhenNFKCCaseFolded else { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            return true
        default: return scalar == "-" || scalar == "·"
        }
    }

    private static func decoded(_ host: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(host.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A label by RFC 3492, section 6.3; nil if it is too long for a name.
    private static func punycode(_ label: [Unicode.Scalar]) -> String? {
        // Also what keeps every number below far from its bounds.
        guard label.count <= 63 else { return nil }
        let basic = label.filter(\.isASCII)
        var output = basic.map { UInt8($0.value) }
        if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (UInt32(128), UInt32(0), UInt32(72), UInt32(basic.count))
        while handled < label.count {
            guard let lowest = label.map(\.value).filter({ $0 >= next }).min() else { return nil }
            delta += (lowest - next) * (handled + 1)
            next = lowest
            for scalar in label {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                var rest = delta
                var place: UInt32 = 36
                while true {
                    let threshold = place <= bias ? 1 : min(place - bias, 26)
                    guard rest >= threshold else { break }
                    output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    place += 36
                }
                output.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == UInt32(basic.count))
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place: UInt32 = 0
        while delta > 455 {
            delta /= 35
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }
}
