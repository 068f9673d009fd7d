/// One range of bytes as a request asks for it (RFC 9110, section 14.1.2).
enum ByteRange: Sendable, Hashable {
    /// From a first to a last byte; nil: to the end.
    case from(Int, to: Int?)
    /// So many bytes from the end.
    case suffix(Int)

    /// What `Range` asks for; nil if there is none, if it is of another unit, malformed, or names
    /// several ranges.
    init?(_ headers: HTTP.Headers) {
        let lines = headers.values(for: "Range")
        guard lines.count == 1, lines[0].lowercased().hasPrefix("bytes=") else { return nil }
        let spec = FieldList.trimmed(lines[0].utf8.dropFirst(6))
        let parts = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty {
            guard let count = Self.number(parts[1]) else { return nil }
            self = .suffix(count)
        } else {
            guard let first = Self.number(parts[0]) else { return nil }
            if parts[1].isEmpty {
                self = .from(first, to: nil)
            } else {
                guard let last = Self.number(parts[1]), last >= first else { return nil }
                self = .from(first, to: last)
            }
        }
    }

    /// Digits only; what no Int holds is none.
    static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// The value of `Range`.
    var text: String {
        switch self {
        case .from(let first, let last): "bytes=\(first)-\(last.map(String.init) ?? "")"
        case .suffix(let count): "bytes=-\(count)"
        }
    }

    /// The bytes of a whole of that length; nil if none of them is there.
    func bytes(of length: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            let end = min(last ?? length - 1, length - 1) + 1
            return first < end ? first..<end : nil
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }
}

/// Which bytes a 206 holds (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
    package let bytes: Range<Int>
    /// The length of the whole; nil if it is not known.
    package let total: Int?

    init(bytes: Range<Int>, total: Int?) {
        self.bytes = bytes
        self.total = total
    }

    /// Nil if there is no such field, or if it is malformed or contradicts itself.
    package init?(_ headers: HTTP.Headers) {
        let lines = headers.values(for: "Content-Range")
        guard lines.count == 1, lines[0].lowercased().hasPrefix("bytes ") else { return nil }
        let parts = lines[0].dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ByteRange.number(ends[0]),
            let last = ByteRange.number(ends[1]), last >= first, last < .max
        else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let length = ByteRange.number(parts[1]), length > last else { return nil }
            total = length
        }
        bytes = first..<last + 1
    }

    package var isWhole: Bool { bytes.lowerBound == 0 && bytes.upperBound == total }

    /// The field's value.
    var text: String {
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total.map(String.init) ?? "*")"
    }
}
