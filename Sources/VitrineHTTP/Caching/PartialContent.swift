import FoundationEssentials

/// Parts of a representation: taken from a stored one, joined, completed (RFC 9111, sections 3.3 and
/// 3.4; RFC 9110, sections 14 and 15.3.7).
enum PartialContent {
    /// Whether a stored part has all the bytes that the range names.
    static func covers(_ held: ContentRange, _ range: ByteRange) -> Bool {
        switch range {
        case .from(let first, let last?):
            guard first >= held.bytes.lowerBound, first <= last else { return false }
            if last < held.bytes.upperBound { return true }
            return held.bytes.upperBound == held.total && first < held.bytes.upperBound
        case .from(let first, nil):
            return held.bytes.upperBound == held.total && held.bytes.contains(first)
        case .suffix(let count):
            guard let total = held.total, held.bytes.upperBound == total, count > 0 else {
                return false
            }
            return held.bytes.lowerBound <= max(0, total - count)
        }
    }

    /// The part that a range names of what is stored: its place, and its bytes.
    ///
    /// Nil if none of the bytes exist, which is a 416. What is stored covers the range.
    static func part(
        _ range: ByteRange, of stored: StoredResponse
    ) -> (range: ContentRange, bytes: Data)? {
        let held =
            ContentRange(ifPartial: stored.head)
            ?? ContentRange(bytes: 0..<stored.body.count, total: stored.body.count)
        // Without a total, the range ends within what is held, and the length beyond does not count.
        guard let wanted = range.bytes(of: held.total ?? held.bytes.upperBound) else { return nil }
        let offset = wanted.lowerBound - held.bytes.lowerBound
        guard offset >= 0, offset + wanted.count <= stored.body.count else { return nil }
        let bytes = Data(stored.body.dropFirst(offset).prefix(wanted.count))
        return (ContentRange(bytes: wanted, total: held.total), bytes)
    }

    /// The range that is missing around a stored part; nil if there are two, or none.
    static func missing(around held: ContentRange) -> ByteRange? {
        let atEnd = held.bytes.upperBound == held.total
        if held.bytes.lowerBound == 0 {
            return atEnd ? nil : .from(held.bytes.upperBound, to: nil)
        }
        return atEnd ? .from(0, to: held.bytes.lowerBound - 1) : nil
    }

    /// Whether two parts are of the same bytes: only a strong validator says so.
    static func belongTogether(_ first: Validators, _ second: Validators) -> Bool {
        guard let strong = first.strong else { return false }
        return strong == second.strong
    }

    /// Two parts as one; nil if there is a gap, or if they disagree about the whole.
    ///
    /// Where they overlap, the second one's bytes count.
    static func join(
        _ first: (range: ContentRange, bytes: Data), _ second: (range: ContentRange, bytes: Data)
    ) -> (range: ContentRange, bytes: Data)? {
        let (a, b) = (first.range.bytes, second.range.bytes)
        guard a.count == first.bytes.count, b.count == second.bytes.count,
            a.lowerBound <= b.upperBound, b.lowerBound <= a.upperBound
        else { return nil }
        if let one = first.range.total, let other = second.range.total, one != other { return nil }
        let total = first.range.total ?? second.range.total
        let whole = min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
        guard whole.upperBound <= total ?? .max else { return nil }
        var bytes = Data(first.bytes.prefix(max(0, b.lowerBound - a.lowerBound)))
        bytes.append(second.bytes)
        if a.upperBound > b.upperBound {
            bytes.append(first.bytes.suffix(a.upperBound - b.upperBound))
        }
        return (ContentRange(bytes: whole, total: total), bytes)
    }

    /// The head of a joined part, or of the whole if that is what it is.
    static func head(
        _ head: StoredResponse.Head, holding range: ContentRange
    ) -> StoredResponse.Head {
        var head = head
        head.headers["Content-Length"] = String(range.bytes.count)
        if range.isWhole {
            head.status = 200
            head.headers.remove("Content-Range")
        } else {
            head.headers["Content-Range"] = range.text
        }
        return head
    }
}

extension ContentRange {
    /// The range of a partial response; nil for any other.
    init?(ifPartial head: StoredResponse.Head) {
        guard head.kind == .partial else { return nil }
        self.init(head.headers)
    }
}
