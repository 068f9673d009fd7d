/// An image and the facts of how it came.
public struct ImageResponse: Sendable, CustomStringConvertible {
    /// Where the bytes or pixels of a response came from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Pixels that were in memory.
        case memory
        /// Bytes that were on disk: still fresh, wanted at any age, or shown although they are stale
        /// since the server allows it or could not be reached.
        case disk
        /// Bytes that were kept in memory since there is no disk cache, in the same cases.
        case originals
        /// Bytes that were on disk or kept in memory, and that the server confirmed (304).
        case revalidated
        /// Bytes that came over the network.
        case network
        /// A `file:` URL.
        case file
        /// A `data:` URL.
        case data
    }

    /// Whether the bytes of a response lie in the request's store when the load ends.
    public enum Keeping: String, Sendable, Hashable, CaseIterable {
        /// They lie there: they were found there, or have been stored.
        case kept
        /// They were not to be stored: HTTP or the policy forbids it, the store is none, the picture was
        /// removed meanwhile, or other bytes of it that were asked for later have been stored.
        case notWanted
        /// They were to be stored, and the store could not: it is full, or has failed.
        case failed
        /// Nobody asked: the image came from memory, or its source is no HTTP.
        case unknown
    }

    /// How long the stages took. What was shared with other callers counts in full for each.
    public struct Timings: Sendable, Hashable {
        /// From the start of the load to its end.
        public var total = Duration.zero
        /// Until all bytes were there, waiting in the queue included; nil if none were needed.
        public var fetch: Duration?
        /// The part of ``fetch`` that was spent waiting for a turn to download; nil if none was needed.
        public var queue: Duration?
        /// How often the source was asked, over the network or otherwise; 0 if it was in memory.
        public var attempts = 0
        /// Decoding, waiting for a worker included; nil if nothing was decoded.
        public var decode: Duration?
        /// The filters, waiting for workers included; nil if none was run.
        public var filters: Duration?
    }

    /// The picture, decoded and filtered.
    public let image: RasterImage
    /// Where it came from.
    public let source: Source
    /// The request, after its and the loader's modifiers; that of the alternative, if one was loaded.
    public let request: ImageRequest
    /// The facts of the HTTP response; nil for other sources.
    public let http: HTTPFacts?
    /// The bytes as they were received or read; nil if the image came from memory.
    public let data: Data?
    /// Whether the bytes are kept; of an offline group it is worth a look.
    public let keeping: Keeping
    /// How many of the bytes were not sent this time, since they were kept of an earlier download that
    /// was cut off; 0 if it was not, and for every source but ``Source/network``.
    public let resumedBytes: Int
    /// How long it took.
    public let timings: Timings

    /// One line: `memory 640 × 480 jpeg from https://host/path?q=…`.
    public var description: String {
        let format = image.info.format.rawValue
        return "\(source.rawValue) \(image.pixelSize) \(format) from \(request.url.redacted)"
    }
}

extension ImageResponse.Timings: CustomStringConvertible {
    /// One line: `46.0 ms: fetch 41.7 ms, 0.2 ms of it in the queue, 1 attempt; decode 3.1 ms; filters
    /// 0.9 ms`, without what was not needed.
    public var description: String {
        let fetched = fetch.map { fetch in
            let waiting = queue.map { ", \($0.inMilliseconds) of it in the queue" } ?? ""
            return "fetch \(fetch.inMilliseconds)\(waiting), "
                + "\(attempts) \(attempts == 1 ? "attempt" : "attempts")"
        }
        let stages = [
            fetched, decode.map { "decode \($0.inMilliseconds)" },
            filters.map { "filters \($0.inMilliseconds)" },
        ].compactMap { $0 }
        return total.inMilliseconds
            + (stages.isEmpty ? "" : ": " + stages.joined(separator: "; "))
    }
}

/// The head of an HTTP response, without its body.
public struct HTTPFacts: Sendable, Hashable {
    /// Where the response came from after all redirects.
    public let finalURL: URL
    /// The status code (RFC 9110, section 15).
    public let status: Int
    /// The header fields, names in lower case; several lines of a name joined with a comma.
    public let headers: [String: String]
    /// Until when the response may be reused without asking; nil if it was stale on arrival.
    public let freshUntil: Date?
    /// When the head arrived from the server: long ago, if it was stored; nil if that is not known.
    public let receivedAt: Date?
}

extension HTTPFacts: CustomStringConvertible, CustomReflectable {
    /// One line: `200 from https://host/path?q=…`. Header fields, which may hold secrets, are not in it.
    public var description: String { "\(status) from \(finalURL.redacted)" }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
