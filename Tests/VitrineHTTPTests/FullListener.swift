import Glibc

/// A port of 127.0.0.1 on which connections are not made: its queue is full and nobody accepts.
final class FullListener {
    struct Failure: Error {}
    let port: Int
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = Int(UInt16(bigEndian: address.sin_port))
        sockets.append(listener)
        for _ in 0..<4 {
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let client = socket(AF_INET, kind, 0)
            sockets.append(client)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = connect(client, address, length)
                }
            }
        }
    }

    deinit { sockets.forEach { close($0) } }
}
