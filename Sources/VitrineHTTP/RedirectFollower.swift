import FoundationEssentials

/// Follows redirects (RFC 9110 §15.4) over a transport or a cache, one exchange each.
///
/// 301, 302, 303, 307 and 308 with a `Location` are followed, to `http` and `https` only. 303 turns
/// every method but `HEAD` into `GET`, 301 and 302 turn `POST` into `GET`; the content and its header
/// fields are then dropped. When scheme, host or port changes, `Authorization`, `Cookie`,
/// `Proxy-Authorization`, `Host` and the request's secret headers are dropped for good; a step from
/// `https` to `http` is such a change and is followed without them. The URL of the response is the
/// last one asked. The request's total time is that of all exchanges together, without what they
/// wait for before they start.
public struct RedirectFollower: Transport {
    private let base: any Transport
    private let limit: Int

    /// Follows at most `limit` redirects of a request.
    public init(over base: any Transport, limit: Int = 10) {
        self.base = base
        self.limit = max(0, limit)
    }

    /// The first response that is no redirect, with the redirects that led to it.
    ///
    /// - Throws: ``TransportError/tooManyRedirects(limit:)``, ``TransportError/redirectLoop(_:)``,
    ///   ``TransportError/redirectRefused(to:)``; what the transport throws.
    public func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        var request = request
        var hops: [HTTP.Response.Hop] = []
        var visited: Set<Visit> = [Visit(request)]
        let limitOfTime = request.timeouts.total
        while true {
            var response: HTTP.Response
            do throws(TransportError) {
                response = try await base.exchange(request)
            } catch .timeout(.total, _) where limitOfTime != nil {
                throw .timeout(phase: .total, after: limitOfTime ?? .zero)
            }
            guard let location = Self.location(of: response) else {
                response.url = request.url
                response.redirects = hops
                return response
            }
            let next = try Self.request(after: response, at: location, from: request)
            guard hops.count < limit else { throw .tooManyRedirects(limit: limit) }
            guard visited.insert(Visit(next)).inserted else { throw .redirectLoop(next.url) }
            hops.append(
                .init(url: request.url, status: response.status, freshUntil: response.freshUntil))
            try await response.drain()
            request = next
            if let left = request.timeouts.total, let spent = response.timings.firstByte {
                request.timeouts.total = max(.zero, left - spent)
            }
        }
    }

    private struct Visit: Hashable {
        let method: HTTP.Method
        let url: Substring

        init(_ request: HTTP.Request) {
            method = request.method
            url = request.url.absoluteString.prefix { $0 != "#" }
        }
    }

    private static func location(of response: HTTP.Response) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        return response.headers.values(for: "Location").first
    }

    /// The request that a redirect asks for.
    static func request(
        after response: HTTP.Response, at location: String, from request: HTTP.Request
    ) throws(TransportError) -> HTTP.Request {
        guard !location.isEmpty,
            let target = URL(string: location, relativeTo: request.url)?.absoluteURL
        else { throw .badResponse(reason: "the target of the redirect is not a URL") }
        var next = request
        next.url = withInheritedFragment(target, from: request.url)
        let scheme = target.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw .redirectRefused(to: target) }

        let becomesGet =
            response.status == 303
            ? request.method != .head && request.method != .get
            : (response.status == 301 || response.status == 302) && request.method == .post
        if becomesGet {
            next.method = .get
            next.body = nil
            let names = request.headers.map(\.name)
            for name in names where name.lowercased().hasPrefix("content-") {
                next.headers.remove(name)
            }
        }
        if try Origin(target) != Origin(request.url) {
            let names = request.headers.map(\.name)
            for name in names where request.isSecret(name) || name.lowercased() == "host" {
                next.headers.remove(name)
            }
        }
        return next
    }

    /// A target without a fragment has that of the URL that led to it (RFC 9110 §10.2.2).
    private static func withInheritedFragment(_ target: URL, from source: URL) -> URL {
        let text = source.absoluteString
        guard !target.absoluteString.contains("#"), let mark = text.firstIndex(of: "#") else {
            return target
        }
        return URL(string: target.absoluteString + text[mark...]) ?? target
    }
}
