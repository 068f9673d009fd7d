/// What an ``OriginServer`` answers at a path: how an origin behaves, well or badly.
package indirect enum Endpoint: Sendable {
    /// 200 with these bytes.
    case bytes([UInt8], type: String = "application/octet-stream", headers: [OriginHeader] = [])
    /// Any status.
    case status(Int, headers: [OriginHeader] = [], body: [UInt8] = [])
    /// The other one, after a while.
    case delayed(Duration, then: Endpoint)
    /// `Transfer-Encoding: chunked`, with a pause after each chunk.
    case chunked([[UInt8]], interval: Duration = .zero, headers: [OriginHeader] = [])
    /// Says the whole length, sends so many bytes, closes.
    case truncated([UInt8], sent: Int)
    /// Says the whole length, sends so many bytes, then stops in that way.
    case cut(
        [UInt8], sent: Int, by: Cut = .closing, status: Int = 200, headers: [OriginHeader] = [])
    /// Closes between two chunks, before the last.
    case truncatedChunked([[UInt8]])
    /// A chunk whose length is no number.
    case badChunk
    /// Says 1,000,000 bytes, sends so many, resets the connection; nil: resets before the head.
    case reset(afterBytes: Int?)
    /// Reads the request and says nothing more.
    case never
    /// Says 1,000,000 bytes, sends so many, says nothing more.
    case stall(afterBytes: Int)
    /// A redirect.
    case redirect(to: String, status: Int = 302, headers: [OriginHeader] = [])
    /// A redirect that says 100 bytes, sends none, says nothing more.
    case stalledRedirect(to: String)
    /// Redirects to itself.
    case redirectLoop
    /// 401 unless the credentials are these.
    case basicAuth(user: String, password: String, then: Endpoint)
    /// Answers `Range` with 206, with respect to `If-Range`.
    case ranged([UInt8], etag: String, headers: [OriginHeader] = [])
    /// Answers `If-None-Match` and `If-Modified-Since` with 304.
    case conditional(
        [UInt8], etag: String? = nil, lastModified: String? = nil, headers: [OriginHeader] = [])
    /// A header section of about so many bytes, in lines of 1,000.
    case hugeHeader(bytes: Int)
    /// One header line of so many bytes.
    case longHeaderLine(bytes: Int)
    /// These bytes instead of an answer.
    case raw([UInt8])
    /// Closes without an answer.
    case closeWithoutAnswer
    /// The request's head as text, with the body after it.
    case echo
    /// The bytes at this pace.
    case slowBody([UInt8], bytesPerSecond: Int, headers: [OriginHeader] = [])
    /// 1xx heads before the other one.
    case interim([Int], then: Endpoint)
    /// Resets the connection if it was used before.
    case resetWhenReused(then: Endpoint)
    /// The first for the first request to the path, and so on; the last for all others.
    case sequence([Endpoint])
    /// Whatever the closure says for this request.
    case dynamic(@Sendable (OriginRequest) -> Endpoint)
}

/// How an origin stops in the midst of a body.
package enum Cut: Sendable {
    /// It closes the connection.
    case closing
    /// It resets the connection.
    case resetting
    /// It says nothing more.
    case stalling
}

/// A header line of an origin's answer.
package struct OriginHeader: Sendable, Hashable, ExpressibleByStringLiteral {
    package let line: [UInt8]

    package init(_ name: String, _ value: String) { line = Array("\(name): \(value)".utf8) }

    /// A line with bytes that need not be UTF-8.
    package init(raw: [UInt8]) { line = raw }

    /// `"Name: value"`.
    package init(stringLiteral value: String) { line = Array(value.utf8) }
}
