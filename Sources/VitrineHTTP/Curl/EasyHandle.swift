import CCurl
import FoundationEssentials
import Glibc

/// How a request becomes the options of a curl handle, and what a handle knows afterwards.
enum EasyHandle {
    /// Sets everything up; false if memory ran out.
    static func configure(
        _ easy: UnsafeMutableRawPointer, for transfer: Transfer,
        _ configuration: CurlTransport.Configuration
    ) -> Bool {
        let request = transfer.request
        let text = request.url.absoluteString
        var url = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        if let host = request.url.host(percentEncoded: true), host.contains("%") {
            // curl would go by the locale to make a name of it.
            url = replacing(host, in: url, by: transfer.origin.host)
        }
        guard ccurl_set_string(easy, CURLOPT_URL, url) == CURLE_OK else { return false }

        // No signals: they would hit a thread of the host's.
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Without it, ending a transfer waits for the name server, and all others with it.
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 64 << 10)
        // curl divides this time among several addresses of a host; the deadline is the loop's.
        ccurl_set_long(
            easy, CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.clampedMilliseconds)
        // Without TLS there is none to negotiate, but curl would wait for it: for the head of the first
        // response before it opened a second connection to the host.
        let isSecure = request.url.scheme?.lowercased() == "https"
        let wanted = request.allowsHTTP2 ? configuration.httpVersion : .http11
        let version = wanted == .negotiated && !isSecure ? .http11 : wanted
        transfer.requiresHTTP2 = version == .http2
        let number =
            switch version {
            case .negotiated: CURL_HTTP_VERSION_2TLS
            case .http11: CURL_HTTP_VERSION_1_1
            case .http2: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, number)
        // Rather wait for a connection that can be shared than open another. Without TLS none can unless
        // HTTP/2 is all that is spoken, and curl would find that out from the first answer only, for
        // which all others would wait.
        let mayBeShared = version != .http11
        ccurl_set_long(easy, CURLOPT_PIPEWAIT, mayBeShared ? 1 : 0)
        // curl repeats any method when a reused connection was closed before an answer; what may have
        // had an effect must not be repeated, and gets a connection on which that cannot happen.
        let isFresh = transfer.wasRetried || !request.method.isIdempotent
        if isFresh { ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }
        setSecurity(easy, configuration.security)
        if let proxy = configuration.proxy.curlProxy(addressRule: configuration.addressRule) {
            ccurl_set_string(easy, CURLOPT_PROXY, proxy)
            // Or the environment would still make exceptions.
            ccurl_set_string(easy, CURLOPT_NOPROXY, "")
        }
        setMethod(easy, request)
        guard setHeaders(easy, transfer, configuration) else { return false }
        setCallbacks(easy, transfer)
        return true
    }

    private static func replacing(
        _ host: String, in url: String, by name: String
    ) -> String {
        guard !host.hasPrefix("["), let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        let start = authority.lastIndex(of: "@") ?? authority.startIndex
        guard let place = url[start..<authority.endIndex].firstRange(of: host) else { return url }
        return url[..<place.lowerBound] + name + url[place.upperBound...]
    }

    private static func setSecurity(
        _ easy: UnsafeMutableRawPointer, _ security: TransportSecurity
    ) {
        let version =
            switch security.lowestVersion {
            case .tls12: ccurl_tls_1_2()
            case .tls13: ccurl_tls_1_3()
            }
        ccurl_set_long(easy, CURLOPT_SSLVERSION, version)
        ccurl_set_long(easy, CURLOPT_PROXY_SSLVERSION, version)
        if security.authorityFile != nil || security.authorityFolder != nil {
            // Both, for either has the system's as its default.
            for (option, value) in [
                (CURLOPT_CAINFO, security.authorityFile),
                (CURLOPT_PROXY_CAINFO, security.authorityFile),
                (CURLOPT_CAPATH, security.authorityFolder),
                (CURLOPT_PROXY_CAPATH, security.authorityFolder),
            ] {
                ccurl_set_string(easy, option, value)
            }
        }
        guard let own = security.clientCertificate else { return }
        ccurl_set_string(easy, CURLOPT_SSLCERT, own.file)
        ccurl_set_string(easy, CURLOPT_SSLKEY, own.keyFile ?? own.file)
        // Without it OpenSSL would ask on the terminal for the password of an encrypted key.
        ccurl_set_string(easy, CURLOPT_KEYPASSWD, own.password ?? "")
    }

    private static func setMethod(_ easy: UnsafeMutableRawPointer, _ request: HTTP.Request) {
        if request.method == .head {
            ccurl_set_long(easy, CURLOPT_NOBODY, 1)
        } else if let body = request.body {
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
            if body.isEmpty { ccurl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        } else if request.method == .get {
            ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        } else {
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private static func setHeaders(
        _ easy: UnsafeMutableRawPointer, _ transfer: Transfer,
        _ configuration: CurlTransport.Configuration
    ) -> Bool {
        let request = transfer.request
        var lines: [String] = []
        for field in request.headers where field.name.lowercased() != "content-length" {
            // "Name:" would remove a header of curl's, "Name;" sends it empty.
            lines.append(
                field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if request.body != nil {
            // curl would call it a form, and wait a second for a 100 before it sends 1 MB.
            if !request.headers.contains("Content-Type") { lines.append("Content-Type:") }
            if !request.headers.contains("Expect") { lines.append("Expect:") }
        }
        if let agent = configuration.userAgent, !request.headers.contains("User-Agent") {
            ccurl_set_string(easy, CURLOPT_USERAGENT, agent)
        }
        for line in lines {
            guard let longer = curl_slist_append(transfer.lines, line) else { return false }
            transfer.lines = longer
        }
        if let list = transfer.lines { ccurl_set_list(easy, CURLOPT_HTTPHEADER, list) }
        return true
    }

    private static func setCallbacks(_ easy: UnsafeMutableRawPointer, _ transfer: Transfer) {
        // Unretained: the loop keeps the transfer for as long as it has the handle.
        let user = Unmanaged.passUnretained(transfer).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, transfer.errorText)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, user)
        ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
            guard let bytes, let transfer = EasyHandle.transfer(user) else { return 0 }
            let length = size * count
            let isFine = transfer.take(
                headerLine: UnsafeRawBufferPointer(start: bytes, count: length))
            return isFine ? length : 0
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, user)
        ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
            guard let bytes, let transfer = EasyHandle.transfer(user) else { return 0 }
            let length = size * count
            guard length > 0 else { return 0 }
            switch transfer.take(body: UnsafeRawBufferPointer(start: bytes, count: length)) {
            case .taken: return length
            case .pause: return Int(CURL_WRITEFUNC_PAUSE)
            case .refused: return 0
            }
        }
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, user)
        ccurl_set_open_socket(easy) { user, _, address in
            guard let address, let transfer = EasyHandle.transfer(user) else {
                return curl_socket_t(-1)
            }
            var bytes = [UInt8](repeating: 0, count: 16)
            let length = ccurl_copy_address(address, &bytes)
            guard transfer.mayConnect(to: IPAddress(bytes: Array(bytes.prefix(Int(length))))) else {
                return curl_socket_t(-1)
            }
            let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            return socket(address.pointee.family, kind, address.pointee.protocol)
        }
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, user)
        ccurl_set_before_request(easy) { user, _, _, _, _ in
            EasyHandle.transfer(user)?.connectionIsReady()
            return Int32(CURL_PREREQFUNC_OK)
        }
    }

    private static func transfer(_ user: UnsafeMutableRawPointer?) -> Transfer? {
        user.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Facts

    static func long(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    static func offset(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return ccurl_get_offset(easy, info, &value) == CURLE_OK ? Int(value) : 0
    }

    static func version(of easy: UnsafeMutableRawPointer) -> HTTP.Version {
        switch long(easy, CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: .http10
        case CURL_HTTP_VERSION_2_0: .http2
        case CURL_HTTP_VERSION_3: .http3
        default: .http11
        }
    }

    /// curl counts each phase from the start; here each is its own length.
    static func timings(of easy: UnsafeMutableRawPointer) -> HTTP.Timings {
        let isReused = long(easy, CURLINFO_NUM_CONNECTS) == 0
        guard !isReused else { return HTTP.Timings(reusedConnection: true) }
        let lookup = offset(easy, CURLINFO_NAMELOOKUP_TIME_T)
        let connect = offset(easy, CURLINFO_CONNECT_TIME_T)
        let secure = offset(easy, CURLINFO_APPCONNECT_TIME_T)
        return HTTP.Timings(
            nameLookup: .microseconds(lookup),
            connect: connect > 0 ? .microseconds(max(0, connect - lookup)) : nil,
            tls: secure > 0 ? .microseconds(max(0, secure - connect)) : nil)
    }
}
