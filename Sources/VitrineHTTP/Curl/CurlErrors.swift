import CCurl
import FoundationEssentials
import Glibc

extension TransportError {
    /// What an ended transfer's code means; several of curl's codes mean more than one thing.
    init(_ code: CURLcode, of transfer: Transfer, _ easy: UnsafeMutableRawPointer) {
        let host = transfer.origin.host
        let systemError = EasyHandle.long(easy, CURLINFO_OS_ERRNO)
        let text = Self.phrase(
            transfer.errorText.pointee != 0
                ? String(cString: transfer.errorText) : String(cString: curl_easy_strerror(code)))
        let reason =
            systemError != 0
            ? String(cString: strerror(Int32(truncatingIfNeeded: systemError))) : text
        let proxyStatus = EasyHandle.long(easy, CURLINFO_HTTP_CONNECTCODE)
        // curl quotes a proxy that it does not understand, password included.
        let proxyReason =
            text.contains("Unsupported proxy")
            ? "the environment names none that can be used" : reason
        func connect() -> TransportError {
            .connect(host: host, port: transfer.origin.port, reason: reason)
        }

        if let refusal = transfer.refusal {
            self = refusal
            return
        }
        if proxyStatus >= 300 {
            let meaning = proxyStatus == 407 ? " (authentication required)" : ""
            self = .proxy(reason: "it answered with status \(proxyStatus)\(meaning)")
            return
        }
        switch code {
        case CURLE_URL_MALFORMAT:
            self = .invalidURL(transfer.request.url.absoluteString)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            // The scheme was checked before, so the first is an answer in HTTP/0.9.
            self = .badResponse(reason: text)
        case CURLE_COULDNT_RESOLVE_HOST:
            self = .dns(host: host)
        case CURLE_COULDNT_CONNECT:
            if let address = transfer.forbidden {
                self = .addressForbidden(host: host, address: address.description)
            } else {
                self = Self.isAboutProxy(text, transfer) ? .proxy(reason: proxyReason) : connect()
            }
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = .proxy(reason: "its name or address cannot be found")
        case CURLE_PROXY:
            self = .proxy(reason: proxyReason)
        case CURLE_OPERATION_TIMEDOUT:
            // Connecting is the only thing for which curl has a limit.
            self = .timeout(phase: .connect, after: transfer.request.timeouts.connect)
        case CURLE_PARTIAL_FILE:
            let expected = EasyHandle.offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            self = .truncated(
                received: transfer.received, expected: expected > 0 ? expected : nil)
        case CURLE_RECV_ERROR where systemError == 0 && Self.isAboutProxy(text, transfer):
            self = .proxy(reason: proxyReason)
        case CURLE_RECV_ERROR where systemError == 0 && text.contains("hunk"):
            self = .badResponse(reason: text)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM:
            self = .connectionLost(received: transfer.received)
        case CURLE_OUT_OF_MEMORY where transfer.isHeadMissing:
            // A single line above curl's own limit of 100 KB.
            self = .headerTooLarge(limit: Transfer.maximumLineBytes)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            self = .tls(host: host, reason: text)
        default:
            self = .other(host: host, code: Int(code.rawValue), reason: text)
        }
    }

    /// Whether curl speaks of the proxy: it says so, or names another host than the one asked for.
    private static func isAboutProxy(_ text: String, _ transfer: Transfer) -> Bool {
        if text.lowercased().contains("proxy") { return true }
        let start = "Failed to connect to "
        guard text.hasPrefix(start) else { return false }
        // An address with a zone is named with or without it, and escaped or not.
        let host = transfer.origin.host.filter { $0 != "[" && $0 != "]" }.prefix { $0 != "%" }
        let named = text.dropFirst(start.count).prefix { $0 != " " }
        let rest = text.dropFirst(start.count + named.count)
        return named.prefix { $0 != "%" } != host
            || !rest.hasPrefix(" port \(transfer.origin.port) ")
    }

    /// curl's text as the end of a sentence of ours, which brings its own period.
    private static func phrase(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
