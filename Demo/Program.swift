import FoundationEssentials
import Glibc

/// The `vitrine` program beside this one, with a cache folder of its own.
struct Program {
    /// A picture that it fetched, as its JSON says.
    struct Picture: Decodable {
        let url: String
        let path: String
        let width: Int
        let height: Int
        let format: String
        let bytes: Int
        let source: String
        let milliseconds: Double
    }

    /// A picture that it could not fetch.
    struct Failure: Decodable {
        let url: String
        let error: String
    }

    /// What one run of it did.
    struct Run {
        var pictures: [Picture] = []
        var failures: [Failure] = []
        let time: Duration
    }

    let path: String
    private let environment: [String: String]

    init(cache: String) throws {
        path = try Self.beside("vitrine", madeBy: "make demo")
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CACHE_HOME"] = cache
        self.environment = environment
    }

    /// The path of a program of the same build.
    static func beside(_ name: String, madeBy command: String) throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw DemoFailure("This program's own path is unknown.") }
        let own = String(decoding: buffer[..<count], as: UTF8.self)
        let path = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/" + name
        guard access(path, X_OK) == 0 else {
            throw DemoFailure("\(path) is not there; \(command) builds it.")
        }
        return path
    }

    /// Runs `vitrine get` on a list. One picture that fails is no error here.
    func get(list: String, into folder: String, _ options: [String] = []) throws -> Run {
        let child = try Child(
            path, ["get", "--from", list, "-o", folder, "--json", "--full-urls"] + options,
            environment: environment)
        var run = Run(time: child.time)
        for line in child.output.split(separator: UInt8(ascii: "\n")) {
            let decoder = JSONDecoder()
            if let picture = try? decoder.decode(Picture.self, from: line) {
                run.pictures.append(picture)
            } else {
                run.failures.append(try decoder.decode(Failure.self, from: line))
            }
        }
        guard child.status == (run.failures.isEmpty ? 0 : 1) else {
            throw DemoFailure("vitrine get ended with status \(child.status).")
        }
        return run
    }
}
