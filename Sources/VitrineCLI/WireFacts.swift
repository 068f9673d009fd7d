import FoundationEssentials
import Vitrine

/// What came over the wire beside the picture.
struct WireFacts: Encodable {
    let status: Int
    /// What the server calls it.
    let contentType: String?
    /// Whether that is a name of the format that it is; absent if it has none.
    let contentTypeFits: Bool?
    let etag: String?
    let lastModified: String?
    let cacheControl: String?
    /// When it came from the server, or was last confirmed.
    let receivedAt: String?
    /// Until when the server is not asked again; absent if it is each time.
    let freshUntil: String?
    /// The seconds until then; 0 if it is stale.
    let freshSeconds: Int
    /// Whether it lies in the cache: kept, notWanted, failed or unknown.
    let keeping: String
    /// Where it came from after redirects, if there were any.
    let finalURL: String?
    /// How many of the bytes an earlier run had brought, which was cut off; absent if none.
    let resumedBytes: Int?
    /// How often the server was asked for it just now.
    let attempts: Int
    let milliseconds: Double

    private let format: String
    private let age: Int?

    private enum CodingKeys: CodingKey {
        case status, contentType, contentTypeFits, etag, lastModified, cacheControl, receivedAt
        case freshUntil, freshSeconds, keeping, finalURL, resumedBytes, attempts, milliseconds
    }

    init(_ http: HTTPFacts, of response: ImageResponse, at now: Date, fullURLs: Bool) {
        let format = response.image.info.format
        self.format = format.description
        status = http.status
        contentType = http.headers["content-type"]
        contentTypeFits = contentType.map { type in
            let name = type.prefix { $0 != ";" }.split(separator: " ").first ?? ""
            return format.mimeTypes.contains(name.lowercased())
        }
        etag = http.headers["etag"]
        lastModified = http.headers["last-modified"]
        cacheControl = http.headers["cache-control"]
        receivedAt = http.receivedAt.map(Self.text)
        age = http.receivedAt.map { Self.seconds(from: $0, to: now) }
        freshUntil = http.freshUntil.map(Self.text)
        freshSeconds = http.freshUntil.map { Self.seconds(from: now, to: $0) } ?? 0
        keeping = response.keeping.rawValue
        let text = http.finalURL.absoluteString
        finalURL =
            http.finalURL == response.request.url
            ? nil : fullURLs ? text : PictureSource.shown(text)
        resumedBytes = response.resumedBytes > 0 ? response.resumedBytes : nil
        attempts = response.timings.attempts
        milliseconds = (Readable.seconds(response.timings.total) * 1e5).rounded() / 100
    }

    /// For people.
    var rows: [(String, String)] {
        var rows = [("status", "\(status)"), ("type", type), ("fresh", freshness)]
        if let age { rows.append(("received", "\(Readable.span(age)) ago")) }
        rows.append(("validators", validators))
        if let cached { rows.append(("cached", cached)) }
        if let resumedBytes {
            rows.append(("resumed", "\(Readable.bytes(resumedBytes)) were there before"))
        }
        if let finalURL { rows.append(("redirected", finalURL)) }
        return rows
    }

    private var type: String {
        guard let contentType else { return "the server does not say" }
        return contentTypeFits == false ? "\(contentType), but it is \(format)" : contentType
    }

    private var freshness: String {
        if freshSeconds > Self.longTime { return "for ever" }
        if freshSeconds > 0 { return "\(Readable.span(freshSeconds)) more" }
        return "no, the server is asked again"
    }

    private var validators: String {
        let parts = [etag.map { "ETag \($0)" }, lastModified.map { "Last-Modified \($0)" }]
            .compactMap { $0 }
        return parts.isEmpty ? "none, it can only be fetched anew" : parts.joined(separator: ", ")
    }

    private var cached: String? {
        switch ImageResponse.Keeping(rawValue: keeping) {
        case .kept: "yes"
        case .notWanted: "no, it is not to be kept"
        case .failed: "no, the cache failed"
        case .unknown, nil: nil
        }
    }

    /// Four hundred years, which only "never" comes to.
    private static let longTime = 400 * 31_557_600

    private static func seconds(from start: Date, to end: Date) -> Int {
        Int(min(max(0, end.timeIntervalSince(start)), 1e15))
    }

    private static func text(_ date: Date) -> String {
        min(date, .distantFuture).formatted(.iso8601)
    }
}
