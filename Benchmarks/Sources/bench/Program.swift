import Glibc

/// A program to be run to its end.
struct Program {
    let name: String
    let arguments: [String]

    struct Run {
        /// Seconds from before its start until after its end.
        let wall: Double
        /// Seconds of processor time that it used, its threads together.
        let cpu: Double
        /// The most memory that was resident, in bytes.
        let peakBytes: Int
        /// What it wrote to standard output.
        let output: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs it; its standard error stream is this process's own.
    func run() throws -> Run {
        var pipes: [Int32] = [0, 0]
        guard pipe(&pipes) == 0 else { throw Failure(description: "no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        posix_spawn_file_actions_addclose(&actions, pipes[0])
        posix_spawn_file_actions_addclose(&actions, pipes[1])

        var words = ([name] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let start = Self.now()
        let failed = posix_spawnp(&process, name, &actions, nil, &words, environ)
        close(pipes[1])
        let output = Self.readAll(pipes[0])
        guard failed == 0 else { throw Failure(description: "\(name) cannot be started") }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
        let wall = Self.now() - start
        guard status == 0 else {
            throw Failure(description: "\(name) ended with wait status \(status)")
        }
        return Run(
            wall: wall, cpu: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            peakBytes: usage.ru_maxrss * 1024, output: output)
    }

    private static func readAll(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += buffer[..<count]
        }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
