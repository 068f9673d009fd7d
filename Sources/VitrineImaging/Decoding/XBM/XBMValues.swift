/// The numbers between the braces of an XBM file, one after the other.
struct XBMValues {
    private var scanner: XBMScanner
    private var isClosed = false

    /// The numbers from where `scanner` is, behind the brace that opens them.
    init(_ scanner: XBMScanner) {
        self.scanner = scanner
    }

    /// The next number. What ends it must be there too, or it might go on.
    mutating func next() throws(ImagingError) -> Int {
        guard !isClosed else { throw .corrupt(format: .xbm, reason: "rows are missing") }
        guard let word = scanner.next() else { throw .truncated(format: .xbm) }
        guard word != .mark(UInt8(ascii: "}")) else {
            throw .corrupt(format: .xbm, reason: "rows are missing")
        }
        guard let end = scanner.next() else { throw .truncated(format: .xbm) }
        guard let value = scanner.number(word) else {
            throw .corrupt(format: .xbm, reason: "a value is no number")
        }
        switch end {
        case .mark(UInt8(ascii: ",")): break
        case .mark(UInt8(ascii: "}")): isClosed = true
        default: throw .corrupt(format: .xbm, reason: "a comma is missing")
        }
        return value
    }
}
