import Glibc
import VitrineBase

/// Ends the program on a signal from a person or the system, but not in the midst of a short step
/// that would leave something behind, and after a moment to keep what has arrived.
enum Interruption {
    private static let isOpen = Lock(())
    private static let farewell = Lock<(@Sendable () async -> Void)?>(nil)
    /// How long the farewell may take, in steps of five milliseconds.
    private static let patience = 200

    /// What is done when a signal has come, before it ends the program; a second at most.
    static func beforeEnd(_ body: @escaping @Sendable () async -> Void) {
        farewell.withLock { $0 = body }
    }

    /// Does not return: for those who were cancelled by the farewell, and have nothing to say.
    static func awaitEnd() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Does `body` while no signal ends the program. For steps of microseconds.
    static func withheld<Result>(_ body: () -> Result) -> Result {
        isOpen.withLock { _ in body() }
    }

    /// Holds the signals back, for ``wait(for:)``. To be called before there is any other thread: those
    /// that come later inherit the mask.
    static func hold() -> sigset_t {
        var watched = sigset_t()
        sigemptyset(&watched)
        for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
            sigaddset(&watched, signal)
        }
        pthread_sigmask(SIG_BLOCK, &watched, nil)
        return watched
    }

    /// Whether the parent wants it so, as `nohup` does.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var current = sigaction()
        return sigaction(signal, nil, &current) == 0
            && unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the program when one of the signals comes. For the main thread: Swift's own way of keeping
    /// it would let them through, whatever its mask was.
    static func wait(for signals: sigset_t) -> Never {
        var signals = signals
        var received: Int32 = 0
        while sigwait(&signals, &received) != 0 {}
        if let farewell = farewell.withLock({ $0 }) {
            let isDone = Lock(false)
            Task.detached {
                await farewell()
                isDone.withLock { $0 = true }
            }
            for _ in 0..<patience where !isDone.withLock({ $0 }) { usleep(5000) }
        }
        // Held until the end. Dying of the signal itself tells the parent what it was.
        return isOpen.withLock { _ in
            signal(received, SIG_DFL)
            raise(received)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            _exit(128 + received)
        }
    }
}
