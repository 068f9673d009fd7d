import FoundationEssentials
import Glibc

/// A child process, killed with SIGKILL at the latest when it is let go.
final class ChildProcess {
    private(set) var pid: pid_t = 0
    private var output: Int32 = -1

    init(_ path: String, _ arguments: [String]) throws {
        var pipes: [Int32] = [0, 0]
        guard pipe(&pipes) == 0 else { throw POSIXFailure(errno) }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = pipes[0]
        defer { close(pipes[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        let failure = posix_spawn(&pid, path, &actions, nil, &argv, environ)
        guard failure == 0 else { throw POSIXFailure(failure) }
    }

    deinit { kill() }

    /// What it prints, up to its next line or its end.
    func readSome() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    func kill() {
        killNow()
        _ = wait()
    }

    /// Kills it and leaves the rest of its output to be read.
    func killNow() {
        if pid > 0 { Glibc.kill(pid, SIGKILL) }
    }

    func wait() -> Int32 {
        guard pid > 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        pid = 0
        close(output)
        return status
    }
}

func run(_ path: String, _ arguments: [String]) throws {
    guard try ChildProcess(path, arguments).wait() == 0 else { throw POSIXFailure(EIO) }
}

/// The helper that uses a store in a process of its own.
var crasherPath: String { helperPath("store-crasher") }

/// A program of this package that lies beside the tests.
func helperPath(_ name: String) -> String {
    let me = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let test = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? me
    for path in [test, me] {
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        let helper = "\(folder)/\(name)"
        if access(helper, X_OK) == 0 { return helper }
    }
    return name
}
