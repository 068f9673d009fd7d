public import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// What a loader's store has for a request: where it lies, how large and how old it is, and how long it
/// counts.
public struct CacheEntry: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The URL of the response, after redirects that are stored too.
    public let url: URL
    /// The status code.
    public let status: Int
    /// The header fields, names in lower case, several lines of a name joined with a comma; without
    /// cookies and whatever the request calls a secret.
    public let headers: [String: String]
    /// The group that holds it; nil if none does.
    public let group: String?
    /// The folder of the store; nil if it is not on disk.
    public let folder: String?
    /// The file that holds the body; nil if it lies in the store's index, or not on disk.
    public let path: String?
    /// Bytes of the body; nil if the store does not tell.
    public let size: Int?
    /// When it arrived from the server, or was last confirmed by it.
    public let receivedAt: Date
    /// The time since the server made it (RFC 9111, section 4.2.3).
    public let age: Duration
    /// Until when it answers without a question to the server, by what the request and its store say;
    /// nil if the server has to be asked each time.
    public let freshUntil: Date?
    /// The expiry with which it was stored, `distantFuture` for ``CacheExpiry/never``; nil if it has
    /// none, and HTTP decides.
    public let expiresAt: Date?

    /// One line: the status, the size, and the URL without what may be secret.
    public var description: String {
        "\(status), \(size.map { "\($0) bytes" } ?? "size unknown"), \(url.redacted)"
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ImageLoader {
    /// What the request's store has for it, whatever its age; nil if there is nothing that the request
    /// would select.
    ///
    /// Reads no body, asks no server and counts as no use. The request's policy does not matter.
    public func cacheEntry(for request: ImageRequest) async -> CacheEntry? {
        guard let place = stores.place(for: request.store),
            ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
        else { return nil }
        let peek = CachePeek(place.cache, on: engine.fetcher.terms(of: request, in: place))
        let hops = StandingTransport(
            standing: engine.credentialing.standing(for: request),
            certificate: await engine.fetcher.shownCertificate(), request: request,
            belongsToAnother: Lock(false), cached: peek)
        let follower = RedirectFollower(over: hops, limit: configuration.maximumRedirects)
        let asked = engine.fetcher.httpRequest(request)
        guard (try? await follower.exchange(asked)) != nil, let found = peek.finding else {
            return nil
        }
        let head = found.record.head
        let headers = head.headers.joined.filter {
            !asked.isSecret($0.key) && !$0.key.hasPrefix("set-cookie")
        }
        return CacheEntry(
            url: found.url, status: head.status, headers: headers, group: place.group?.name,
            folder: place.disk?.configuration.directory, path: found.record.path,
            size: found.record.size, receivedAt: Date(timeIntervalSince1970: head.receivedAt),
            age: .seconds(found.age), freshUntil: found.freshUntil,
            expiresAt: head.expiresAt.map { Date(expiring: $0) })
    }
}
