import FoundationEssentials
import Glibc

/// An nginx on loopback that speaks HTTP/2 and HTTP/1.1 over TLS; ends with its last reference.
final class SecureServer {
    struct Failure: Error {}

    /// How it speaks.
    struct Options {
        var http2 = true
        /// Versions of TLS, in nginx's words.
        var versions = "TLSv1.2 TLSv1.3"
        /// Whether a client must show ``SecureServer/clientCertificate``.
        var asksForCertificate = false
    }

    private static let nginx = program("/usr/sbin/nginx")
    private static let openssl = program("/usr/bin/openssl")
    static let isAvailable = nginx != nil && openssl != nil

    let port: Int
    private static func program(_ path: String) -> String? {
        access(path, X_OK) == 0 ? path : nil
    }

    /// A PEM file with the server's self-signed certificate.
    let certificate: String
    /// A PEM file that the server accepts from clients; its key is in ``clientKey``.
    let clientCertificate: String
    /// A PEM file, encrypted with the password `open sesame`.
    let clientKey: String
    private let folder: Folder
    private let process: pid_t

    static func start(
        files: [String: [UInt8]], options: Options = Options()
    ) async throws -> SecureServer {
        // The port may be taken between the choice and the start.
        for _ in 0..<5 {
            let server = try SecureServer(files: files, options: options)
            for _ in 0..<200 {
                if server.accepts { return server }
                guard waitpid(server.process, nil, WNOHANG) == 0 else { break }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        throw Failure()
    }

    private init(files: [String: [UInt8]], options: Options) throws {
        guard let nginx = Self.nginx, let openssl = Self.openssl else { throw Failure() }
        let folder = try Folder()
        self.folder = folder
        port = try Self.freePort()
        certificate = folder.path + "/cert.pem"
        let key = folder.path + "/key.pem"
        let request = [
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-days", "2",
        ]
        try Self.run(
            request + [
                // OpenSSL finds an authority by its name, which is of its own therefore.
                "-nodes", "-subj", "/O=\(port)/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        clientCertificate = folder.path + "/client.pem"
        clientKey = folder.path + "/client-key.pem"
        var own = ""
        if options.asksForCertificate {
            try Self.run(
                request + [
                    "-passout", "pass:open sesame", "-subj", "/CN=client", "-keyout", clientKey,
                    "-out", clientCertificate,
                ])
            own = "ssl_client_certificate \(clientCertificate); ssl_verify_client on;"
        }
        let root = folder.path + "/root"
        // Workers may run as somebody else.
        guard chmod(folder.path, 0o755) == 0, mkdir(root, 0o755) == 0 else { throw Failure() }
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(filePath: "\(root)/\(name)"))
        }
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporary = folders.map { "\($0)_temp_path \(folder.path)/\($0);" }
        let text = """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr emerg;
            events { worker_connections 512; }
            http {
              access_log off; \(temporary.joined(separator: " "))
              server {
                listen 127.0.0.1:\(port) ssl\(options.http2 ? " http2" : "");
                ssl_protocols \(options.versions); \(own)
                ssl_certificate \(certificate); ssl_certificate_key \(key);
                root \(root);
              }
            }
            """
        let configuration = try folder.write("nginx.conf", text)
        process = try Self.spawn([nginx, "-c", configuration, "-p", folder.path])
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    func url(_ path: String) -> URL {
        URL(string: "https://127.0.0.1:\(port)\(path)") ?? URL(filePath: path)
    }

    /// A folder in which OpenSSL finds the server's certificate by a digest of its name.
    func authorityFolder() throws -> String {
        guard let openssl = Self.openssl else { throw Failure() }
        let path = folder.path + "/authorities"
        guard mkdir(path, 0o755) == 0 else { throw Failure() }
        try Data(contentsOf: URL(filePath: certificate)).write(to: URL(filePath: path + "/a.pem"))
        try Self.run([openssl, "rehash", path])
        return path
    }

    private static func run(_ words: [String]) throws {
        let process = try spawn(words)
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0 else { throw Failure() }
    }

    private static func spawn(_ words: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process = pid_t()
        guard posix_spawn(&process, words[0], &actions, nil, arguments, nil) == 0 else {
            throw Failure()
        }
        return process
    }

    private static func freePort() throws -> Int { try withSocket { try bound($0, to: 0) } }

    private var accepts: Bool {
        var address = Self.address(port)
        return
            (try? Self.withSocket { socket in
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }) ?? false
    }

    private static func withSocket<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_INET, kind, 0)
        guard socket >= 0 else { throw Failure() }
        defer { close(socket) }
        return try body(socket)
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func bound(_ socket: Int32, to port: Int) throws -> Int {
        var address = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
