import Glibc
import VitrineBase

/// One connection of an ``OriginServer``; lives on a thread of its own.
struct OriginConnection: Sendable {
    let socket: Int32
    let number: Int
    let isStopping: @Sendable () -> Bool
    let endpoint: @Sendable (OriginRequest) -> Endpoint

    private struct Closed: Error {}

    /// Answers requests until the client or an endpoint ends it.
    func serve() {
        var rest: [UInt8] = []
        var index = 0
        do {
            while let request = try readRequest(&rest, index: index) {
                index += 1
                try answer(request, endpoint(request))
                if request.header("Connection")?.lowercased() == "close" { return }
            }
        } catch {
            // The connection is closed by whoever called.
        }
    }

    // MARK: Reading

    private func readRequest(_ rest: inout [UInt8], index: Int) throws -> OriginRequest? {
        let mark: [UInt8] = [13, 10, 13, 10]
        var end = rest.firstRange(of: mark)
        while end == nil {
            guard rest.count < 1 << 20, try receive(&rest) else { return nil }
            guard let first = rest.first, (0x41...0x5A).contains(first) else {
                try sendHead(400, ["Connection: close"], length: 0)  // TLS, say
                return nil
            }
            end = rest.firstRange(of: mark)
        }
        guard let end else { return nil }
        let head = String(decoding: rest[..<end.upperBound], as: UTF8.self)
        rest.removeFirst(end.upperBound)
        guard let plain = OriginRequest(head: head, body: [], connection: number, index: index)
        else { return nil }
        guard let length = plain.header("Content-Length").flatMap({ Int($0) }), length > 0 else {
            return plain
        }
        while rest.count < length {
            guard try receive(&rest) else { return nil }
        }
        let body = Array(rest[..<length])
        rest.removeFirst(length)
        return OriginRequest(head: head, body: body, connection: number, index: index)
    }

    /// False when the client has closed.
    private func receive(_ buffer: inout [UInt8]) throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    // MARK: Writing

    private func send(_ bytes: some Collection<UInt8>) throws {
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    socket, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Closed() }
            done += count
        }
    }

    private func sendHead(
        _ status: Int, _ headers: [OriginHeader], length: Int?
    ) throws {
        var head = Array("HTTP/1.1 \(status) \(reason(status))\r\n".utf8)
        for header in headers { head += header.line + [13, 10] }
        if let length { head += Array("Content-Length: \(length)\r\n".utf8) }
        try send(head + [13, 10])
    }

    private func sendAll(
        _ request: OriginRequest, _ status: Int, _ headers: [OriginHeader], _ body: [UInt8]
    ) throws {
        let hasBody = status != 304 && status != 204 && request.method != "HEAD"
        try sendHead(status, headers, length: status == 204 || status == 304 ? nil : body.count)
        if hasBody { try send(body) }
    }

    /// Waits; ends early, with an error, when the client closes or the server stops.
    private func pause(_ duration: Duration) throws {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return }
        // 0x2000 is POLLRDHUP, which Swift does not see.
        var entry = pollfd(fd: socket, events: 0x2000, revents: 0)
        let count = poll(&entry, 1, Int32(min(milliseconds, 1_000_000)))
        if count != 0 || isStopping() { throw Closed() }
    }

    private func reset() throws {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        throw Closed()
    }

    // MARK: Endpoints

    private func answer(_ request: OriginRequest, _ endpoint: Endpoint) throws {
        switch endpoint {
        case .bytes(let bytes, let type, let headers):
            try sendAll(request, 200, headers + [OriginHeader("Content-Type", type)], bytes)
        case .status(let status, let headers, let body):
            try sendAll(request, status, headers, body)
        case .delayed(let time, let next):
            try pause(time)
            try answer(request, next)
        case .chunked(let chunks, let interval, let headers):
            try sendChunks(chunks, interval, headers)
            try send(Array("0\r\n\r\n".utf8))
        case .truncated(let bytes, let sent):
            try sendHead(200, [], length: bytes.count)
            try send(bytes.prefix(sent))
            throw Closed()
        case .cut(let bytes, let sent, let cut, let status, let headers):
            try sendHead(status, headers, length: bytes.count)
            try send(bytes.prefix(sent))
            switch cut {
            case .closing: throw Closed()
            case .resetting:
                try pause(.milliseconds(50))  // or the reset overtakes the bytes
                try reset()
            case .stalling: try pause(.seconds(1000))
            }
        case .truncatedChunked(let chunks):
            try sendChunks(chunks, .zero, [])
            throw Closed()
        case .badChunk:
            try sendHead(200, ["Transfer-Encoding: chunked"], length: nil)
            try send(Array("5\r\nhello\r\nzzz\r\nworld\r\n".utf8))
            try pause(.seconds(100))
        case .reset(nil):
            try reset()
        case .reset(let bytes?):
            try sendHead(200, [], length: 1_000_000)
            try send([UInt8](repeating: 7, count: bytes))
            try pause(.milliseconds(50))  // or the reset overtakes the bytes
            try reset()
        case .never:
            try pause(.seconds(1000))
        case .stall(let bytes):
            try sendHead(200, [], length: 1_000_000)
            try send([UInt8](repeating: 7, count: bytes))
            try pause(.seconds(1000))
        case .redirect(let target, let status, let headers):
            try sendAll(
                request, status, headers + [OriginHeader("Location", target)],
                Array("moved".utf8))
        case .stalledRedirect(let target):
            try sendHead(302, [OriginHeader("Location", target)], length: 100)
            try pause(.seconds(1000))
        case .redirectLoop:
            try sendAll(request, 302, [OriginHeader("Location", request.target)], [])
        case .basicAuth(let user, let password, let next):
            let wanted = "Basic " + base64(Array("\(user):\(password)".utf8))
            if request.header("Authorization") == wanted {
                try answer(request, next)
            } else {
                try sendAll(
                    request, 401, ["WWW-Authenticate: Basic realm=\"origin\""],
                    Array("denied".utf8))
            }
        case .ranged(let bytes, let etag, let headers):
            try answerRange(request, bytes, etag, headers)
        case .conditional(let bytes, let etag, let lastModified, let headers):
            var headers = headers
            if let etag { headers.append(OriginHeader("ETag", etag)) }
            if let lastModified { headers.append(OriginHeader("Last-Modified", lastModified)) }
            let isUnchanged =
                if let condition = request.header("If-None-Match") {
                    etag.map { condition == "*" || condition.contains($0) } ?? false
                } else {
                    lastModified != nil && request.header("If-Modified-Since") == lastModified
                }
            try sendAll(request, isUnchanged ? 304 : 200, headers, isUnchanged ? [] : bytes)
        case .hugeHeader(let bytes):
            let line = OriginHeader("X-Filler", String(repeating: "x", count: 988))
            let lines = Array(repeating: line, count: bytes / 1000)
            try sendAll(request, 200, lines, Array("ok".utf8))
        case .longHeaderLine(let bytes):
            let line = OriginHeader("X-Filler", String(repeating: "x", count: bytes))
            try sendAll(request, 200, [line], Array("ok".utf8))
        case .raw(let bytes):
            try send(bytes)
            throw Closed()
        case .closeWithoutAnswer:
            throw Closed()
        case .echo:
            try sendAll(
                request, 200, ["Content-Type: text/plain"], Array(request.head.utf8) + request.body)
        case .slowBody(let bytes, let pace, let headers):
            try sendHead(200, headers, length: bytes.count)
            let step = max(1, pace / 20)
            for start in stride(from: 0, to: bytes.count, by: step) {
                try send(bytes[start..<min(start + step, bytes.count)])
                try pause(.milliseconds(50))
            }
        case .interim(let statuses, let next):
            for status in statuses {
                try sendHead(status, ["Link: </style.css>; rel=preload"], length: nil)
            }
            try answer(request, next)
        case .resetWhenReused(let next):
            if request.indexOnConnection > 0 { try reset() }
            try answer(request, next)
        case .dynamic(let closure):
            try answer(request, closure(request))
        case .sequence(let endpoints):
            if let last = endpoints.last { try answer(request, last) }
        }
    }

    private func sendChunks(
        _ chunks: [[UInt8]], _ interval: Duration, _ headers: [OriginHeader]
    ) throws {
        try sendHead(200, headers + ["Transfer-Encoding: chunked"], length: nil)
        for chunk in chunks where !chunk.isEmpty {
            try send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10])
            try pause(interval)
        }
    }

    private func answerRange(
        _ request: OriginRequest, _ bytes: [UInt8], _ etag: String, _ headers: [OriginHeader]
    ) throws {
        let common = headers + [OriginHeader("ETag", etag), "Accept-Ranges: bytes"]
        let matches = request.header("If-Range").map { $0 == etag } ?? true
        guard matches, let range = request.header("Range"), range.hasPrefix("bytes=") else {
            return try sendAll(request, 200, common, bytes)
        }
        let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let first = bounds.first.flatMap { Int($0) } ?? 0
        let last = min(bounds.last.flatMap { Int($0) } ?? bytes.count - 1, bytes.count - 1)
        guard first <= last else {
            return try sendAll(
                request, 416, common + [OriginHeader("Content-Range", "bytes */\(bytes.count)")],
                [])
        }
        let part = OriginHeader("Content-Range", "bytes \(first)-\(last)/\(bytes.count)")
        try sendAll(request, 206, common + [part], Array(bytes[first...last]))
    }

    private func reason(_ status: Int) -> String {
        let reasons = [
            100: "Continue", 103: "Early Hints", 200: "OK", 206: "Partial Content",
            301: "Moved Permanently", 302: "Found", 304: "Not Modified", 401: "Unauthorized",
            404: "Not Found", 416: "Range Not Satisfiable", 500: "Internal Server Error",
        ]
        return reasons[status] ?? "Status"
    }
}

private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let part = bytes[start..<min(start + 3, bytes.count)]
        let word = part.enumerated().reduce(0) { $0 | Int($1.element) << (16 - $1.offset * 8) }
        for place in 0..<4 {
            text.append(
                place <= part.count ? digits[(word >> (18 - place * 6)) & 63] : UInt8(ascii: "="))
        }
    }
    return String(decoding: text, as: UTF8.self)
}
