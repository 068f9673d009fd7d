public import FoundationEssentials
import VitrineBase
public import VitrineHTTP
public import VitrineImaging

/// Why a load ended without an image.
///
/// What it says for people, `dump` included, shows the URL without user info and with query values as
/// `…`; ``url`` keeps the whole.
public struct ImageError: Error, Sendable, Hashable {
    /// The kinds of failure, each with its facts.
    public enum Reason: Sendable, Hashable {
        /// The caller gave up.
        case cancelled
        /// The URL cannot be asked for: what is wrong with it.
        case invalidURL(String)
        /// No source is behind this scheme, or the configuration forbids it.
        case unsupportedScheme(String)
        /// The server answered with this status, which is no success, or one without content.
        case status(Int)
        /// The `Content-Type` is none that is accepted, nil if there was none; see
        /// ``ContentTypeRule/headerMustMatch``.
        case contentType(String?)
        /// The exchange with the server failed.
        case transport(TransportError)
        /// The bytes are no image that can be decoded within the limits, or a filter failed.
        case imaging(ImagingError)
        /// The file cannot be read: its path, and why.
        case file(path: String, why: String)
        /// The request's scale is not a positive number.
        case invalidScale(Double)
        /// The request's store is a group that was not declared to the loader: its name.
        case unknownGroup(String)
        /// The request's store is a group whose name is longer than a name may be; both numbers are bytes
        /// of UTF-8.
        case groupNameTooLong(bytes: Int, limit: Int)
        /// Nothing is stored, and the policy forbids to ask.
        case cacheMiss
        /// The caller's time was over; see ``ImageRequest/Timeouts/deadline``.
        case deadlinePassed(Duration)
        /// The request's or the loader's modifier threw: what it says.
        case modifier(String)
    }

    /// What went wrong.
    public let reason: Reason
    /// The URL that was asked for.
    public let url: URL
    /// The head of the HTTP response, if one came.
    public let http: HTTPFacts?

    /// An error of one's own loader or test double.
    public init(_ reason: Reason, url: URL, http: HTTPFacts? = nil) {
        // There is one way to say it.
        self.reason = reason == .imaging(.cancelled) ? .cancelled : reason
        self.url = url
        self.http = http
    }

    /// Whether the caller gave up, and nothing failed.
    public var isCancelled: Bool { reason == .cancelled }
}

extension ImageError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// The URL and the reason in one line.
    public var description: String { "\(url.redacted): \(reason)" }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ImageError.Reason: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .cancelled: "The load was cancelled."
        case .invalidURL(let why): "The URL is invalid: \(why)."
        case .unsupportedScheme(let scheme):
            scheme.isEmpty
                ? "The URL has no scheme; http, https, file and data can be loaded."
                : "The scheme \(scheme) cannot be loaded here."
        case .status(let status): "The server answered with status \(status)\(meaning(status))."
        case .contentType(let type?):
            "The server calls the content \"\(type)\", which is no accepted type of an image."
        case .contentType(nil):
            "The server does not say of what type the content is (no Content-Type)."
        case .transport(let error): error.description
        case .imaging(let error): error.description
        case .file(let path, let why): "The file \(path) cannot be read: \(why)."
        case .invalidScale(let scale): "The scale \(scale) is not a positive number."
        case .unknownGroup(let name):
            "The cache group “\(name)” was not declared to the loader."
        case .groupNameTooLong(let bytes, let limit):
            "The cache group's name has \(bytes) bytes, more than \(limit)."
        case .cacheMiss: "Nothing is cached, and the network was not allowed."
        case .deadlinePassed(let time): "The picture was not there after \(readable(time))."
        case .modifier(let why): "The request could not be prepared: \(why)."
        }
    }

    /// `1.5 s`.
    private func readable(_ time: Duration) -> String {
        let milliseconds = time.clampedNanoseconds / 1_000_000
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if seconds == 0 { return "\(rest) ms" }
        return rest < 100 ? "\(seconds) s" : "\(seconds).\(rest / 100) s"
    }

    /// The meanings that a person is likely to meet (RFC 9110, section 15).
    private func meaning(_ status: Int) -> String {
        switch status {
        case 204: " (no content)"
        case 205: " (reset content)"
        case 304: " (not modified)"
        case 400: " (bad request)"
        case 401: " (unauthorized)"
        case 403: " (forbidden)"
        case 404: " (not found)"
        case 407: " (proxy authentication required)"
        case 410: " (gone)"
        case 429: " (too many requests)"
        case 500: " (internal server error)"
        case 502: " (bad gateway)"
        case 503: " (service unavailable)"
        case 504: " (gateway timeout)"
        default: ""
        }
    }
}

extension ImagingError {
    /// Whether the bytes themselves are bad, rather than refused or beyond what is installed.
    var saysThatBytesAreBad: Bool {
        switch self {
        case .notAnImage, .truncated, .corrupt: true
        default: false
        }
    }
}
