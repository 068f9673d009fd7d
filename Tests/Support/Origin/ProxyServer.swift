import Glibc
import VitrineBase

/// An HTTP proxy on loopback, for plain requests and `CONNECT`, which remembers what it was asked.
///
/// Whatever host it is asked for, it connects to that port of 127.0.0.1. Each connection serves one
/// request or tunnel on a thread of its own.
package final class ProxyServer: Sendable {
    package struct Failure: Error {}

    private struct State: Sendable {
        var heads: [String] = []
        var open: Set<Int32> = []
        var isStopping = false
    }

    /// The port that the system chose.
    package let port: Int
    private let listener: Int32
    private let state = SharedState()

    private final class SharedState: Sendable {
        let value = Lock(State())
    }

    /// A proxy that asks for these credentials (as `user:password` in Base64), or for none.
    package init(credentials: String? = nil) throws {
        let listener = try Self.makeSocket()
        self.listener = listener
        guard
            let port = Self.withAddress(
                port: 0,
                { address, length in
                    var length = length
                    guard bind(listener, address, length) == 0, listen(listener, 64) == 0,
                        getsockname(listener, address, &length) == 0
                    else { return -1 }
                    return 0
                })
        else {
            close(listener)
            throw Failure()
        }
        self.port = port
        startThread { [state] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                let isWelcome = state.value.withLock { state in
                    guard !state.isStopping else { return false }
                    state.open.insert(socket)
                    return true
                }
                guard isWelcome else {
                    close(socket)
                    break
                }
                let leave: @Sendable () -> Void = {
                    state.value.withLock { state in
                        state.open.remove(socket)
                        _ = close(socket)
                    }
                }
                let isStarted = startThread {
                    Self.serve(socket, credentials) { head in
                        state.value.withLock { $0.heads.append(head) }
                    }
                    leave()
                }
                if !isStarted { leave() }
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// Ends all connections.
    package func stop() {
        state.value.withLock { state in
            state.isStopping = true
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The heads of all requests, in the order in which they came.
    package var heads: [String] { state.value.withLock { $0.heads } }

    private static func serve(
        _ client: Int32, _ credentials: String?, _ remember: (String) -> Void
    ) {
        var head: [UInt8] = []
        while head.firstRange(of: [13, 10, 13, 10]) == nil {
            guard head.count < 64 << 10, receive(client, &head) else { return }
        }
        let text = String(decoding: head, as: UTF8.self)
        remember(text)
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count == 3 else { return }
        if let credentials, !text.contains("Proxy-Authorization: Basic \(credentials)\r\n") {
            let answer = """
                HTTP/1.1 407 Proxy Authentication Required\r
                Proxy-Authenticate: Basic realm="proxy"\r
                Content-Length: 0\r
                Connection: close\r\n\r\n
                """
            send(client, Array(answer.utf8))
            return
        }
        let isTunnel = words[0] == "CONNECT"
        var target = words[1]
        if !isTunnel {
            guard let scheme = target.firstRange(of: "://") else { return }
            target = target[scheme.upperBound...]
        }
        let authority = target.prefix { $0 != "/" }
        guard let number = authority.split(separator: ":").last.flatMap({ Int($0) }),
            let server = try? makeSocket()
        else { return }
        defer { close(server) }
        let isConnected = withAddress(port: number) { connect(server, $0, $1) } != nil
        guard isConnected else {
            send(client, Array("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n".utf8))
            return
        }
        if isTunnel {
            send(client, Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
        } else {
            let rest = text[words[2].startIndex...]
            let path = target[authority.endIndex...]
            send(server, Array("\(words[0]) \(path.isEmpty ? "/" : path) \(rest)".utf8))
        }
        pump(client, server)
    }

    /// Carries bytes both ways until one side closes.
    private static func pump(_ first: Int32, _ second: Int32) {
        while true {
            var entries = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, 2, 60_000) > 0 else { return }
            for (from, to) in [(0, second), (1, first)] where entries[from].revents != 0 {
                var bytes: [UInt8] = []
                guard receive(entries[from].fd, &bytes) else { return }
                send(to, bytes)
            }
        }
    }

    private static func receive(_ socket: Int32, _ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        bytes += buffer[..<count]
        return true
    }

    private static func send(_ socket: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress?.advanced(by: done), bytes.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }

    private static func makeSocket() throws -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_INET, kind, 0)
        guard socket >= 0 else { throw Failure() }
        return socket
    }

    /// Calls `body` with an address of 127.0.0.1; the port that it holds afterwards, or nil.
    private static func withAddress(
        port: Int, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
