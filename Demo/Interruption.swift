import Glibc
import VitrineBase

/// Ends the demo and its child together, when somebody wants the demo to end.
enum Interruption {
    private static let child = Lock<pid_t?>(nil)

    /// From now on an interrupt ends the child that runs, and then the demo. Before the first thread
    /// is made, since threads inherit what is blocked.
    static func watch() {
        var signals = handled
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                var signals = Interruption.handled
                var signal: Int32 = 0
                sigwait(&signals, &signal)
                // The lock is kept, so that no other child is started.
                return Interruption.child.withLock { (child) -> UnsafeMutableRawPointer? in
                    if let child {
                        kill(child, SIGTERM)
                        waitpid(child, nil, 0)
                    }
                    Text.complain("\nInterrupted.")
                    _exit(128 + signal)
                }
            }, nil)
        pthread_detach(thread)
    }

    private static var handled: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        return signals
    }

    /// Starts a child that will not outlive the demo. `start` returns its id.
    static func starting(_ start: () throws -> pid_t) rethrows -> pid_t {
        try child.withLock { child in
            let id = try start()
            child = id
            return id
        }
    }

    /// Waits for the child's end and returns its exit status; 128 and more for a signal.
    static func wait(for id: pid_t) -> Int32 {
        // Not reaped before the lock is had: until then the id is certainly the child's.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(id), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return child.withLock { child in
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            child = nil
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }
}
