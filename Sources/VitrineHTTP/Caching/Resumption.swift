import FoundationEssentials

/// Going on with a transfer that was cut off: which responses allow it, what is held of one, and what
/// continues it (RFC 9111, sections 3.3 and 3.4; RFC 9110, sections 13.1.5, 14.2 and 15.3.7).
enum Resumption {
    /// Less than this is not worth a place in a store.
    static let leastBytes = 64 << 10
    /// What was cut off longer ago is not gone on with, in seconds.
    static let lifetime = 86_400.0

    /// Whether what arrives of a response may be kept: only a strong validator tells that the rest is
    /// of the same bytes, and only without a content coding are they those of the representation.
    static func allows(_ head: StoredResponse.Head, to request: HTTP.Request) -> Bool {
        allows(request) && head.status == 200 && head.validators.strong != nil
            && isPlain(head.headers)
    }

    /// Whether a request is one for a whole, as it is, whatever is stored.
    static func allows(_ request: HTTP.Request) -> Bool {
        let codings = request.headers.members(of: "Accept-Encoding")
        return request.method == .get && codings.allSatisfy { $0.lowercased() == "identity" }
            && !request.headers.contains("Range")
            && !Validators.conditionNames.contains { request.headers.contains($0) }
    }

    private static func isPlain(_ headers: HTTP.Headers) -> Bool {
        headers.members(of: "Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    }

    /// Whether a status says that the server does not know what to do with a range, so that the same
    /// question would fail for as long as parts are held, and another may not.
    static func isNoAnswer(_ status: Int) -> Bool {
        (201...205).contains(status) || [304, 400, 412, 501].contains(status)
    }

    /// The head under which a part of a response is kept.
    static func part(of head: StoredResponse.Head, _ range: ContentRange) -> StoredResponse.Head {
        var part = head
        part.status = 206
        part.headers["Content-Range"] = range.text
        part.headers["Content-Length"] = String(range.bytes.count)
        return part
    }

    /// The length of the whole, as a response says it that holds all of it; nil if it does not.
    static func total(of head: StoredResponse.Head) -> Int? {
        let lines = head.headers.values(for: "Content-Length")
        guard lines.count == 1 else { return nil }
        return ByteRange.number(lines[0][...])
    }

    /// The parts of one response that begin at its first byte and have no gap.
    struct Beginning: Sendable {
        let parts: [StoredResponse.Head]
        /// How many bytes they hold.
        let count: Int
        /// The length of the whole; nil if it is not known.
        let total: Int?

        /// Nil if there are none that the request selects, and that are young enough.
        init?(_ heads: [StoredResponse.Head], for request: HTTP.Request, now: Double) {
            let candidates = heads.filter { $0.isSelected(by: request) }.compactMap { head in
                ContentRange(ifPartial: head).map { (head: head, range: $0) }
            }
            guard
                let first = candidates.filter({ $0.range.bytes.lowerBound == 0 })
                    .max(by: { $0.head.receivedAt < $1.head.receivedAt })
            else { return nil }
            var total = first.range.total
            var parts: [StoredResponse.Head] = []
            var count = 0
            for part in candidates.sorted(by: {
                $0.range.bytes.lowerBound < $1.range.bytes.lowerBound
            })
            where part.range.bytes.lowerBound == count {
                guard total == nil || part.range.total == nil || part.range.total == total,
                    abs(now - part.head.receivedAt) < lifetime,
                    part.head.variant == first.head.variant,
                    PartialContent.belongTogether(first.head.validators, part.head.validators)
                else { break }
                total = total ?? part.range.total
                parts.append(part.head)
                count = part.range.bytes.upperBound
            }
            // With all of it there, there is nothing to ask for; that never was looked at.
            guard !parts.isEmpty, count != total else { return nil }
            self.parts = parts
            self.count = count
            self.total = total
        }

        /// The head that came last.
        var head: StoredResponse.Head { parts[parts.count - 1] }

        /// What the server is asked for beside what was asked before: the rest, if this is still what
        /// it has, and as it is.
        var fields: [(name: String, value: String)] {
            [
                ("Range", ByteRange.from(count, to: nil).text),
                ("If-Range", head.validators.strong ?? ""), ("Accept-Encoding", "identity"),
            ]
        }

        /// The length of the whole, if the response is the rest of this one; else nil.
        ///
        /// A 206 must say its entity tag again, but may leave out `Last-Modified` (RFC 9110, section
        /// 15.3.7).
        func total(with response: HTTP.Response, receivedAt: Double) -> Int? {
            guard response.status == 206, Resumption.isPlain(response.headers),
                let range = ContentRange(response.headers), let total = range.total,
                range.bytes == count..<total, self.total ?? total == total,
                response.headers.values(for: "Content-Length")
                    .allSatisfy({ ByteRange.number($0[...]) == range.bytes.count })
            else { return nil }
            let (own, new) = (
                head.validators, Validators(response.headers, receivedAt: receivedAt)
            )
            guard own.tag == new.tag,
                new.lastModified == nil || new.lastModified == own.lastModified
            else { return nil }
            return total
        }
    }
}
