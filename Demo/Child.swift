import FoundationEssentials
import Glibc

/// A child process, run to its end.
struct Child {
    /// All that it wrote to standard output.
    let output: Data
    let status: Int32
    /// From its start to its end.
    let time: Duration

    /// Runs the program at `path`. Standard error goes where ours goes.
    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw DemoFailure("There is no pipe to be had.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)

        // The child shall hear the signals that we have blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var values = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + values { free(text) } }

        let clock = ContinuousClock()
        let start = clock.now
        let id = try Interruption.starting {
            var id: pid_t = 0
            let code = posix_spawn(&id, path, &actions, &attributes, &words, &values)
            guard code == 0 else {
                throw DemoFailure("\(path) cannot be run: \(String(cString: strerror(code))).")
            }
            return id
        }
        close(ends[1])
        output = Self.readAll(ends[0])
        status = Interruption.wait(for: id)
        time = clock.now - start
    }

    private static func readAll(_ file: Int32) -> Data {
        var all = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return all }
            all.append(contentsOf: chunk[..<count])
        }
    }
}
