/// Whole seconds in header fields (RFC 9111, section 1.2.2).
enum DeltaSeconds {
    /// What any larger number counts as.
    static let limit = 1 << 31

    /// The number that the text is; nil if it is anything but digits.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        // Digits alone that no Int holds are a number beyond every limit.
        return min(Int(text) ?? limit, limit)
    }
}
