import Glibc
import VitrineBase

/// Ends the program on a signal from a person or the system, but not in the midst of a short step
/// that would leave something behind.
enum Interruption {
    private static let isOpen = Lock(())

    /// Does `body` while no signal ends the program. For steps of microseconds.
    static func withheld<Result>(_ body: () -> Result) -> Result {
        isOpen.withLock { _ in body() }
    }

    /// To be called before there is any other thread: those that come later inherit the mask.
    static func watch() {
        var watched = sigset_t()
        sigemptyset(&watched)
        for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
            sigaddset(&watched, signal)
        }
        pthread_sigmask(SIG_BLOCK, &watched, nil)
        let signals = watched
        var thread = pthread_t()
        let argument = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
        argument.initialize(to: signals)
        let failed = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                nameThisThread("vitrine-signals")
                Interruption.wait(for: argument.assumingMemoryBound(to: sigset_t.self))
                return nil
            }, argument)
        guard failed == 0 else {
            argument.deallocate()
            pthread_sigmask(SIG_UNBLOCK, &watched, nil)
            return
        }
        pthread_detach(thread)
    }

    /// Whether the parent wants it so, as `nohup` does.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var current = sigaction()
        return sigaction(signal, nil, &current) == 0
            && unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func wait(for signals: UnsafeMutablePointer<sigset_t>) {
        var received: Int32 = 0
        while sigwait(signals, &received) != 0 {}
        // Held until the end. Dying of the signal itself tells the parent what it was.
        isOpen.withLock { _ in
            signal(received, SIG_DFL)
            raise(received)
            pthread_sigmask(SIG_UNBLOCK, signals, nil)
            _exit(128 + received)
        }
    }
}
