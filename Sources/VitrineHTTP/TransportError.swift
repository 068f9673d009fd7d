public import FoundationEssentials

/// Why an exchange failed.
///
/// The texts show URLs without user info and query values; the facts keep the whole.
public enum TransportError: Error, Sendable, Hashable {
    /// The phases that have a time limit; see `HTTP.Timeouts`.
    public enum Phase: String, Sendable, Hashable {
        case connect, idle, total
    }

    /// The URL has no host, a port out of range, or characters that no URL may have.
    case invalidURL(String)
    /// The method or a header field of that name cannot be sent as it is.
    case invalidRequest(reason: String)
    /// Only `http` and `https` can be fetched.
    case unsupportedScheme(String)
    /// The host name has no address.
    case dns(host: String)
    /// No connection could be made.
    case connect(host: String, port: Int, reason: String)
    /// No secure connection could be made.
    case tls(host: String, reason: String)
    /// The proxy did not do its part, or there can be none.
    case proxy(reason: String)
    /// A time limit passed.
    case timeout(phase: Phase, after: Duration)
    /// Less than so many bytes a second have come, on average over so long.
    case tooSlow(bytesPerSecond: Int, over: Duration)
    /// The connection was closed in good order, but before the body was complete; `expected` is nil
    /// where the server had not said the length.
    case truncated(received: Int, expected: Int?)
    /// The connection broke, or was closed without an answer.
    case connectionLost(received: Int)
    /// The header section is larger than the limit, in bytes.
    case headerTooLarge(limit: Int)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The server's answer breaks the protocol.
    case badResponse(reason: String)
    /// The address rule forbids the address that the host has.
    case addressForbidden(host: String, address: String)
    /// More redirects than the limit.
    case tooManyRedirects(limit: Int)
    /// A redirect led back to a URL already asked.
    case redirectLoop(URL)
    /// A redirect led to a URL whose scheme may not be followed.
    case redirectRefused(to: URL)
    /// A temporary file could not be written or read.
    case storage(reason: String)
    /// Nothing is stored, and the cache policy forbids to ask the server.
    case cacheMiss
    /// The caller cancelled.
    case cancelled
    /// The transport was shut down.
    case shutDown
    /// Something else, with libcurl's number for it.
    case other(host: String, code: Int, reason: String)
}

extension TransportError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// What happened, as a sentence with the facts.
    public var description: String {
        switch self {
        case .invalidURL(let text): "\"\(redact(text))\" is not a URL that can be fetched."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
        case .unsupportedScheme(let scheme):
            "URLs that start with \"\(scheme):\" cannot be fetched, only http and https."
        case .dns(let host): "The host \(host) could not be found."
        case .connect(let host, let port, let reason):
            "No connection to \(host), port \(port), could be made: \(reason)."
        case .tls(let host, let reason):
            "No secure connection to \(host) could be made: \(reason)."
        case .proxy(let reason): "The proxy could not be used: \(reason)."
        case .timeout(.connect, let time): "No connection was made within \(time.readable)."
        case .timeout(.idle, let time): "The server sent nothing for \(time.readable)."
        case .timeout(.total, let time): "The transfer was not complete after \(time.readable)."
        case .tooSlow(let rate, let time):
            "The server sent less than \(bytes(rate)) a second for \(time.readable)."
        case .truncated(let received, let expected?):
            "The server closed the connection after \(grouped(received)) of \(bytes(expected))."
        case .truncated(let received, nil):
            "The server closed the connection after \(bytes(received)), before the end."
        case .connectionLost(received: 0): "The connection was lost before an answer came."
        case .connectionLost(let received):
            "The connection was lost after \(bytes(received))."
        case .headerTooLarge(let limit):
            "The response's header is larger than the limit of \(bytes(limit))."
        case .bodyTooLarge(let limit):
            "The response's body is larger than the limit of \(bytes(limit))."
        case .badResponse(let reason): "The server's answer is not valid HTTP: \(reason)."
        case .addressForbidden(let host, let address):
            "The host \(host) has the address \(address), which may not be connected."
        case .tooManyRedirects(let limit):
            "The server redirected more than \(limit) \(limit == 1 ? "time" : "times")."
        case .redirectLoop(let url): "The server redirects in a circle, back to \(url.redacted)."
        case .redirectRefused(let url):
            "The server redirects to \(url.redacted), which may not be followed."
        case .storage(let reason): "A temporary file could not be used: \(reason)."
        case .cacheMiss: "Nothing is cached, and the network was not allowed."
        case .cancelled: "The transfer was cancelled."
        case .shutDown: "The transport was shut down."
        case .other(let host, let code, let reason):
            "The transfer from \(host) failed: \(reason) (libcurl \(code))."
        }
    }
}

private func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(grouped(count)) bytes" }

/// `1,000,000`: the same in every locale, as the rest of the text.
private func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
        result.append(digit)
    }
    return result
}
