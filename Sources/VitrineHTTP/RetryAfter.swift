/// How long a server wants to be left alone (`Retry-After`, RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The seconds that the field's text asks for at this time, 0 for a moment that has passed; nil if
    /// it is neither a number of seconds nor a date.
    ///
    /// - Parameter now: seconds since 1970.
    package static func seconds(_ text: String, now: Double) -> Double? {
        let text = text.trimmingSpaces
        if let seconds = DeltaSeconds.parse(text) { return Double(seconds) }
        return HTTPDate.parse(String(text), now: now).map { max(0, $0 - now) }
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        var text = self[...]
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
