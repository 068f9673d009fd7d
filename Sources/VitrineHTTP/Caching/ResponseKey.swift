public import FoundationEssentials
import VitrineBase

/// The name under which the responses of one URL are stored: the method, the URL with its query, and
/// the credential partition. Responses that `Vary` tells apart share it.
public struct ResponseKey: Sendable, Hashable {
    /// The key as one line of text: `GET https://host/path`, and where there is a partition, a space
    /// and a digest of it. Neither a credential nor a partition's name can be read from it.
    public let text: String

    /// - Parameters:
    ///   - request: what is asked for; its fragment does not count.
    ///   - partition: whose response it is; nil takes the request's `Authorization`, else the user
    ///     info of its URL.
    public init(_ request: HTTP.Request, partition: String? = nil) {
        self.init(request, as: request.method, partition: partition)
    }

    /// The key of what `method` brings from the request's URL: the answer to a `HEAD` is about that
    /// to a `GET`.
    init(_ request: HTTP.Request, as method: HTTP.Method, partition: String?) {
        let (resource, userInfo) = Self.parts(of: request.url)
        let owner = partition ?? request.headers["Authorization"] ?? userInfo
        let digest = owner.map { " " + SHA256.hex($0.utf8) } ?? ""
        text = "\(method.rawValue) \(resource)\(digest)"
    }

    init(text: String) { self.text = text }

    /// The key without a partition, with which those of all partitions of the URL begin.
    public static func shared(by url: URL) -> ResponseKey {
        ResponseKey(text: "GET \(parts(of: url).resource)")
    }

    /// The URL without its fragment and user info, and that user info. By bytes: every look-up comes
    /// by here, and a walk by characters took longer than all the rest of it.
    private static func parts(of url: URL) -> (resource: String, userInfo: String?) {
        let whole = url.absoluteString
        let bytes = Array(whole.utf8)
        func text(_ slice: ArraySlice<UInt8>) -> String { String(decoding: slice, as: UTF8.self) }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
            bytes[colon..<end].starts(with: "://".utf8)
        else { return (text(bytes[..<end]), nil) }
        let start = colon + 3
        let authority = bytes[start..<end].prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return (end == bytes.count ? whole : text(bytes[..<end]), nil)
        }
        return (text(bytes[..<start] + bytes[(at + 1)..<end]), text(bytes[start..<at]))
    }
}
