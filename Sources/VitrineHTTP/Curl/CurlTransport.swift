import FoundationEssentials

/// A transport over libcurl: HTTP/1.1 and, over TLS, HTTP/2, with kept connections.
///
/// One thread serves all exchanges. Keep one transport for long; each has connections of its own.
/// It keeps no cookies and does not decode `Content-Encoding`; credentials in the URL are sent as
/// `Basic`, and ``Authenticator`` answers challenges. When it is released, its thread and connections end.
public final class CurlTransport: Transport {
    /// How a transport connects.
    public struct Configuration: Sendable {
        /// The most connections to one host at a time, at least 1; further exchanges wait.
        public var maximumConnectionsPerHost: Int
        /// The most connections that are kept open, at least 1.
        public var maximumIdleConnections: Int
        /// The `User-Agent` of requests that have none; nil sends none.
        public var userAgent: String?
        /// Which addresses may be connected.
        public var addressRule: AddressRule
        /// TLS: authorities, client certificate, lowest version.
        public var security: TransportSecurity
        /// Which version of HTTP is spoken.
        public var httpVersion: HTTPVersionChoice
        /// The proxy. Where not every address is allowed there can be none, since the rule could judge
        /// the proxy's address only: the environment is not looked at, and a URL is an error.
        public var proxy: TransportProxy

        /// A configuration with these values.
        public init(
            maximumConnectionsPerHost: Int = 6, maximumIdleConnections: Int = 32,
            userAgent: String? = "Vitrine/0.1", addressRule: AddressRule = .any,
            security: TransportSecurity = TransportSecurity(),
            httpVersion: HTTPVersionChoice = .negotiated, proxy: TransportProxy = .environment
        ) {
            self.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.maximumIdleConnections = maximumIdleConnections
            self.userAgent = userAgent
            self.addressRule = addressRule
            self.security = security
            self.httpVersion = httpVersion
            self.proxy = proxy
        }
    }

    private let loop: CurlLoop
    private let rule: AddressRule
    private let proxy: TransportProxy

    /// A transport with a thread of its own.
    public init(configuration: Configuration = Configuration()) {
        rule = configuration.addressRule
        proxy = configuration.proxy
        loop = CurlLoop(configuration)
    }

    deinit { loop.stop() }

    /// Ends all exchanges with ``TransportError/shutDown``, and every later one too.
    public func shutdown() { loop.stop() }

    public func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        let origin = try Origin(request.url)
        try request.checkSyntax()
        try proxy.check(addressRule: rule)
        let loop = self.loop
        let transfer = Transfer(
            request, origin: origin, rule: rule, now: loop.now,
            wake: { [unowned loop] in loop.serveSoon($0) })
        let cancel: @Sendable () -> Void = {
            // Neither call waits for anything that is held while a task is resumed.
            transfer.cancel()
            loop.cancel(transfer)
        }
        let head = try await withTaskCancellationHandler {
            loop.start(transfer)
            return await transfer.head.value()
        } onCancel: {
            cancel()
        }.get()
        let body = HTTP.Body(
            next: { [self] () async throws(TransportError) -> Data? in
                // The transport lives at least until its bodies are read.
                defer { withExtendedLifetime(self) {} }
                return try await transfer.next(
                    resume: { loop.resume(transfer) }, cancel: cancel)
            }, cancel: cancel)
        return HTTP.Response(
            url: request.url, status: head.status, version: head.version, headers: head.headers,
            body: body, timings: head.timings)
    }
}

extension HTTP.Request {
    /// Far above what any server takes, and below what curl does.
    private static let maximumURLBytes = 1 << 20

    /// Refuses what would put further lines into the request (RFC 9110 §5.5, §5.6.2, §9.1).
    func checkSyntax() throws(TransportError) {
        let length = url.absoluteString.utf8.count
        guard length <= Self.maximumURLBytes else {
            throw .invalidRequest(
                reason: "its URL has \(length) bytes, and \(Self.maximumURLBytes) is the limit")
        }
        guard method.rawValue.isToken else {
            throw .invalidRequest(reason: "the method is not a token")
        }
        for field in headers {
            guard field.name.isToken else {
                throw .invalidRequest(reason: "the name of a header field is not a token")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .invalidRequest(
                    reason: "the value of the header field \(field.name) has control characters")
            }
        }
    }
}

extension String {
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
