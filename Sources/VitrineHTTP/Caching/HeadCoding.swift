public import FoundationEssentials

/// Heads as bytes, for stores that keep them outside of memory.
///
/// A mark with the version of the format, then numbers and texts, each text after its length; numbers
/// are little-endian. What is of another version, too short, too long or no text is no head: to a
/// store that is a miss.
extension StoredResponse.Head {
    private static let absent = Double.nan.bitPattern
    private static let mark: [UInt8] = Array("VHR\u{3}".utf8)

    /// The head as bytes; equal heads are equal bytes.
    public var encoded: Data {
        var bytes = Data(Self.mark)
        func add(_ number: UInt64) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func add(_ text: String) {
            let utf8 = text.utf8
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: utf8.count).littleEndian) {
                bytes.append(contentsOf: $0)
            }
            bytes.append(contentsOf: utf8)
        }
        func add(_ fields: some Collection<HTTP.Headers.Field>) {
            add(UInt64(fields.count))
            for field in fields {
                add(field.name)
                add(field.value)
            }
        }
        add(UInt64(bitPattern: Int64(status)))
        add(sentAt.bitPattern)
        add(receivedAt.bitPattern)
        add(Array(headers))
        add(selectedBy)
        // An absent moment is no number; an absent URL is empty.
        add(expiresAt?.bitPattern ?? Self.absent)
        add(url ?? "")
        return bytes
    }

    /// The head that ``encoded`` gave; nil for anything else.
    public init?(encoded: Data) {
        var reader = HeadReader(encoded)
        guard reader.take(Self.mark), let status = reader.number(), let sentAt = reader.number(),
            let receivedAt = reader.number(), let fields = reader.fields(),
            let selectedBy = reader.fields(), let expiresAt = reader.number(),
            let url = reader.text(), reader.isAtEnd,
            (200..<600).contains(status)
        else { return nil }
        self.init(
            status: Int(status), headers: HTTP.Headers(fields), selectedBy: selectedBy,
            sentAt: Double(bitPattern: sentAt), receivedAt: Double(bitPattern: receivedAt))
        self.expiresAt = expiresAt == Self.absent ? nil : Double(bitPattern: expiresAt)
        self.url = url.isEmpty ? nil : url
        guard self.sentAt.isFinite, self.receivedAt.isFinite, self.expiresAt?.isNaN != true else {
            return nil
        }
    }
}

/// Takes numbers and texts from bytes that may hold anything.
private struct HeadReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ data: Data) { bytes = Array(data) }

    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ text: [UInt8]) -> Bool {
        next(text.count).map { $0 == text[...] } ?? false
    }

    private mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - place else { return nil }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func number() -> UInt64? {
        next(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() -> String? {
        guard let length = next(4)?.reversed().reduce(0, { $0 << 8 | Int($1) }),
            let text = next(length)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    mutating func fields() -> [HTTP.Headers.Field]? {
        // A field takes eight bytes at least, so that a wrong count reserves nothing.
        guard let count = number(), count <= UInt64((bytes.count - place) / 8) else { return nil }
        var fields: [HTTP.Headers.Field] = []
        fields.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            fields.append(HTTP.Headers.Field(name: name, value: value))
        }
        return fields
    }
}
