import FoundationEssentials
import Vitrine
import VitrineStorage

/// What is told of one entry of the disk cache. Of the headers only status and type are, and of the
/// request nothing but the URL: the others may hold secrets.
struct CacheRow: Encodable {
    let url: String
    /// Absent if the headers are of another version and cannot be read.
    let status: Int?
    let contentType: String?
    let bytes: Int
    /// Seconds since it was stored.
    let age: Double
    /// Seconds since it was last read or stored.
    let unusedFor: Double
    /// Seconds for which it may still be shown unasked, 1e15 for ever, negative since it became stale;
    /// absent if the server must be asked each time.
    let freshFor: Int?
    /// Seconds until it goes; absent if nothing limits that.
    let expiresIn: Int?
    /// The file of its body; absent if that lies in the index.
    let file: String?
    /// Whether it was fetched with credentials.
    let isPrivate: Bool
    let isVariant: Bool
    let isPart: Bool
    /// Whether it is no response, but what was made of one.
    let isProcessed: Bool

    init(_ record: DiskStore.Record, at now: Date, fullURLs: Bool) {
        let resource = StoredResource(record)
        let head = resource.head
        url = CacheCommand.shown(resource, fullURLs: fullURLs)
        status = head?.status
        contentType = head?.headers["Content-Type"]
        bytes = record.size
        age = Self.milliseconds(now.timeIntervalSince(record.storedAt))
        unusedFor = Self.milliseconds(now.timeIntervalSince(record.lastUsed))
        freshFor = head?.remainingFreshness(at: now.timeIntervalSince1970).map(Self.whole)
        expiresIn = record.expiresAt.map { Self.whole($0.timeIntervalSince(now)) }
        file = record.bodyPath
        isPrivate = resource.isPartitioned
        isVariant = head?.headers.contains { $0.name.lowercased() == "vary" } ?? false
        isPart = head?.kind == .partial
        isProcessed = resource.isProcessed
    }

    /// The seconds as a whole number, for every `Double`.
    private static func whole(_ seconds: Double) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds.rounded(.down), -1e15), 1e15))
    }

    /// More than any time that counts.
    private static let ever = 1_000_000_000_000_000

    /// The seconds to the millisecond, which JSON can hold whatever they are.
    private static func milliseconds(_ seconds: Double) -> Double {
        seconds.isFinite ? (seconds * 1000).rounded() / 1000 : 0
    }

    var json: String { JSONText.of(self) }

    /// The rows as lines with their columns below each other.
    static func table(_ rows: [CacheRow]) -> [String] {
        let cells = rows.map(\.cells)
        var widths: [Int] = []
        for row in cells {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return cells.map { row in
            row.enumerated().map { column, cell in
                guard column < row.count - 1 else { return cell }
                return cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }.joined()
        }
    }

    private var cells: [String] {
        let marks = [
            (isPrivate, "private"), (isVariant, "variant"), (isPart, "part"),
            (isProcessed, "processed"),
        ].filter(\.0).map(\.1)
        return [
            status.map { "\($0)" } ?? "-", contentType ?? "-", Readable.bytes(bytes),
            "\(Readable.span(Self.whole(age))) ago", freshness, file == nil ? "index" : "file",
            marks.isEmpty ? url : "\(url) (\(marks.joined(separator: ", ")))",
        ].map(Terminal.field)
    }

    private var freshness: String {
        if let expiresIn {
            return expiresIn > 0 ? "expires in \(Readable.span(expiresIn))" : "expired"
        }
        if isProcessed { return "with its response" }
        guard let freshFor else { return status == nil ? "unreadable" : "asks each time" }
        if freshFor == Self.ever { return "fresh for ever" }
        return freshFor > 0
            ? "fresh for \(Readable.span(freshFor))" : "stale for \(Readable.span(-freshFor))"
    }
}
