public import FoundationEssentials
import VitrineBase

/// The name under which the responses of one URL are stored: the method, the URL with its query, and
/// the credential partition. Responses that `Vary` tells apart share it.
///
/// Where the request names no partition, all its secrets together make one (`Authorization`, `Cookie`
/// and the header fields marked as secret, else the user info of its URL), so that a server that forgets
/// `Vary` cannot hand one user's picture to another.
public struct ResponseKey: Sendable, Hashable {
    /// The key as one line of text: `GET https://host/path`, and where there is a partition, a space
    /// and a digest of it. Neither a credential nor a partition's name can be read from it.
    ///
    /// A name in place of the URL is a digest too: `GET name:…/0`, the number being the step of the
    /// journey over redirects.
    public let text: String

    /// - Parameters:
    ///   - request: what is asked for; its fragment does not count.
    ///   - partition: whose response it is; nil goes by the request's secrets.
    public init(_ request: HTTP.Request, partition: String? = nil) {
        self.init(request, as: request.method, partition: partition)
    }

    /// The key of what `method` brings from the request's URL: the answer to a `HEAD` is about that
    /// to a `GET`.
    init(_ request: HTTP.Request, as method: HTTP.Method, partition: String?) {
        let (resource, userInfo) = Self.parts(of: request.url)
        let owner = Self.owner(of: request, partition, userInfo)
        text = "\(method.rawValue) \(resource)\(owner)"
    }

    /// The key of what a `GET` brings, under a name in place of the URL.
    init(_ request: HTTP.Request, partition: String?, name: String, step: Int) {
        let owner = Self.owner(of: request, partition, Self.parts(of: request.url).userInfo)
        text = "\(Self.prefix(named: name))\(step)\(owner)"
    }

    init(text: String) { self.text = text }

    /// The key without a partition, with which those of all partitions of the URL begin.
    public static func shared(by url: URL) -> ResponseKey {
        ResponseKey(text: "GET \(resource(of: url))")
    }

    /// With what the keys of all that is stored under a name begin, and no other key does.
    public static func prefix(named name: String) -> String {
        "\(prefixOfNamed)\(SHA256.hex(name.utf8))/"
    }

    /// With what the keys under any name begin. No URL that can be asked does.
    package static let prefixOfNamed = "GET name:"

    /// The URL without its fragment and user info.
    package static func resource(of url: URL) -> String { parts(of: url).resource }

    /// A space and a digest of whose response it is; empty if it is everybody's. The three kinds of
    /// owner never meet, whatever a partition is called.
    private static func owner(
        of request: HTTP.Request, _ partition: String?, _ userInfo: String?
    ) -> String {
        let owner =
            partition.map { "partition:" + $0 } ?? request.secrets.map { "secrets:" + $0 }
            ?? userInfo.map { "user:" + $0 }
        return owner.map { " " + SHA256.hex($0.utf8) } ?? ""
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

extension ResponseKey: CustomStringConvertible, CustomReflectable {
    /// The key with the values of its URL's query as `…`.
    public var description: String {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, !text.hasPrefix(Self.prefixOfNamed) else { return text }
        return ([words[0], redact(words[1])] + words[2...]).joined(separator: " ")
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTP.Request {
    /// All secret header fields, the user and the certificate, as one text; nil if there are none. The
    /// order of names does not count.
    package var secrets: String? {
        let lines = headers.lazy.filter { isSecret($0.name) }
            .map { "\($0.name.lowercased()):\($0.value)" }
        // No names of fields begin like these.
        let sorted =
            lines.sorted() + (user.map { [":\($0)"] } ?? [])
            + (certificate.map { ["::\($0)"] } ?? [])
        return sorted.isEmpty ? nil : sorted.joined(separator: "\n")
    }
}
