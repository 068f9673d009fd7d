public import FoundationEssentials

/// Cookies that a program keeps itself: what is sent, and what servers set.
///
/// Both functions are asked for each exchange, each redirect included, with the URL of that exchange;
/// they are called on any thread, must be quick, and do not block. Which cookies belong to which URL,
/// and for how long, is the program's business (RFC 6265).
public struct CookieJar: Sendable {
    let send: @Sendable (URL) -> String?
    let receive: @Sendable (URL, [String]) -> Void

    /// A jar from two functions.
    ///
    /// - Parameters:
    ///   - send: the value of the `Cookie` header for a URL, for example `a=1; b=2`; nil sends none.
    ///   - receive: takes the values of all `Set-Cookie` lines of one response, if it has any.
    public init(
        send: @escaping @Sendable (URL) -> String?,
        receive: @escaping @Sendable (URL, [String]) -> Void
    ) {
        self.send = send
        self.receive = receive
    }

    /// The `Cookie` header for a URL; nil if there is none.
    package func cookies(for url: URL) -> String? {
        send(url).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The transport, and this jar hears of the cookies that servers set.
    package func listening(to transport: any Transport) -> some Transport {
        Listener(jar: self, base: transport)
    }

    private struct Listener: Transport {
        let jar: CookieJar
        let base: any Transport

        func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
            let response = try await base.exchange(request)
            let lines = response.headers.values(for: "Set-Cookie")
            if !lines.isEmpty { jar.receive(request.url, lines) }
            return response
        }
    }
}
