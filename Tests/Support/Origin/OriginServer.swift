package import FoundationEssentials
import Glibc
import VitrineBase

/// An HTTP/1.1 server on loopback whose paths behave as told, and which remembers what it was asked.
///
/// Each connection has a thread; 1,000 at a time and more are fine. It stops with ``stop()``, or when
/// it is released.
package final class OriginServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State: Sendable {
        var routes: [String: Endpoint] = [:]
        var fallback: Endpoint = .status(404, body: Array("nothing here".utf8))
        var requests: [OriginRequest] = []
        var count = 0
        var connections = 0
        var open: Set<Int32> = []
        var mostOpen = 0
        var isStopping = false
    }

    /// The port that the system chose.
    package let port: Int
    private let listener: Int32
    private let state: Shared

    /// What the threads share; they outlive the server's last reference until they have left.
    private final class Shared: Sendable {
        let value = Lock(State())
        let remembersRequests: Bool
        init(remembersRequests: Bool) { self.remembersRequests = remembersRequests }
    }

    /// A server that answers on 127.0.0.1.
    ///
    /// - Parameter remembersRequests: false for a long-running demo, whose list would only grow.
    package static func start(
        port: Int = 0, remembersRequests: Bool = true
    ) throws -> OriginServer {
        try OriginServer(port: port, remembersRequests: remembersRequests)
    }

    private init(port wanted: Int, remembersRequests: Bool) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        listener = socket(AF_INET, kind, 0)
        guard listener >= 0 else { throw Failure(description: "No socket could be made.") }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: wanted).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        state = Shared(remembersRequests: remembersRequests)
        guard isBound else {
            close(listener)
            throw Failure(description: "Port \(wanted) of 127.0.0.1 could not be had.")
        }
        startThread { [state] in Self.accept(from: listener, state) }
    }

    deinit { stop() }

    /// Ends all connections and waits until their threads have left.
    package func stop() {
        let isFirst = state.value.withLock { state in
            defer { state.isStopping = true }
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
            return !state.isStopping
        }
        guard isFirst else { return }
        shutdown(listener, Int32(SHUT_RDWR))  // ends the accept; its thread closes the listener
        for _ in 0..<2000 where openConnections > 0 { usleep(1000) }
    }

    // MARK: Paths

    /// Answers requests for `path` (without query) with `endpoint`.
    package func route(_ path: String, _ endpoint: Endpoint) {
        state.value.withLock { $0.routes[path] = endpoint }
    }

    /// Answers requests for all paths without a route.
    package func routeOthers(_ endpoint: Endpoint) {
        state.value.withLock { $0.fallback = endpoint }
    }

    /// The URL of a path, which may have a query.
    package func url(_ path: String = "/") -> URL {
        let text = address(path)
        return URL(string: text) ?? URL(filePath: text)
    }

    /// The URL of a path as text; `host` must be a name of 127.0.0.1.
    package func address(_ path: String = "/", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    // MARK: What it saw

    /// The requests for a path, in the order in which they came.
    package func requests(for path: String) -> [OriginRequest] {
        state.value.withLock { $0.requests.filter { $0.path == path } }
    }

    /// How many requests there were.
    package var requestCount: Int { state.value.withLock { $0.count } }

    /// How many connections were accepted so far.
    package var connectionCount: Int { state.value.withLock { $0.connections } }

    /// How many connections are open.
    package var openConnections: Int { state.value.withLock { $0.open.count } }

    /// The most connections that were open at a time.
    package var mostOpenConnections: Int { state.value.withLock { $0.mostOpen } }

    /// Forgets the requests and starts counting from 0.
    package func forget() {
        state.value.withLock { state in
            state.requests = []
            state.count = 0
            state.connections = 0
            state.mostOpen = state.open.count
        }
    }

    // MARK: Threads

    private static func accept(from listener: Int32, _ state: Shared) {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard socket >= 0 else { break }
            var yes: Int32 = 1
            setsockopt(
                socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
                socklen_t(MemoryLayout<Int32>.size))
            let number = state.value.withLock { state -> Int? in
                guard !state.isStopping else { return nil }
                state.open.insert(socket)
                state.mostOpen = max(state.mostOpen, state.open.count)
                defer { state.connections += 1 }
                return state.connections
            }
            guard let number else {
                close(socket)
                continue
            }
            let connection = OriginConnection(
                socket: socket, number: number,
                isStopping: { state.value.withLock { $0.isStopping } },
                endpoint: { request in endpoint(for: request, state) })
            let leave: @Sendable () -> Void = {
                // Closed under the lock: the number must not be in the set once it is free again.
                state.value.withLock { state in
                    state.open.remove(socket)
                    _ = close(socket)
                }
            }
            let isStarted = startThread {
                connection.serve()
                leave()
            }
            if !isStarted { leave() }
        }
        close(listener)
    }

    private static func endpoint(for request: OriginRequest, _ state: Shared) -> Endpoint {
        state.value.withLock { value in
            let earlier = value.requests.lazy.filter { $0.path == request.path }.count
            if state.remembersRequests { value.requests.append(request) }
            value.count += 1
            let endpoint = value.routes[request.path] ?? value.fallback
            guard case .sequence(let steps) = endpoint, let last = steps.last else {
                return endpoint
            }
            return earlier < steps.count ? steps[earlier] : last
        }
    }
}

/// Runs `body` on a new thread with a small stack; false if there is none to be had.
@discardableResult
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Box(body))
    let failed = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, argument.toOpaque())
    guard failed == 0 else {
        argument.release()
        return false
    }
    return true
}
