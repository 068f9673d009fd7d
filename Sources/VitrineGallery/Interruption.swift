import CGTK
import Glibc

/// Lets a signal from a person or the system close the window, and then end the program as that signal
/// does.
@MainActor final class Interruption {
    private var received: Int32?

    /// Ends the application when one of the signals comes, but for those that the parent wants ignored, as
    /// `nohup` does.
    func quits(_ application: UnsafeMutablePointer<GtkApplication>) {
        var watched = sigset_t()
        sigemptyset(&watched)
        for signal in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(signal) {
            sigaddset(&watched, signal)
            let wish = Unmanaged.passRetained(Wish(self, signal)).toOpaque()
            // It lives as long as the program.
            g_unix_signal_add(
                signal,
                { wish in
                    guard let wish else { return 0 }
                    let held = Unmanaged<Wish>.fromOpaque(wish)
                        .takeUnretainedValue()
                    MainActor.assumeIsolated { held.came() }
                    return 1
                }, wish)
        }
        // A parent may have held them back when it started this program.
        pthread_sigmask(SIG_UNBLOCK, &watched, nil)
    }

    /// Dying of the signal itself tells the parent what it was.
    func endIfInterrupted() {
        guard let received else { return }
        signal(received, SIG_DFL)
        raise(received)
    }

    @MainActor private final class Wish {
        private let interruption: Interruption
        private let signal: Int32

        init(_ interruption: Interruption, _ signal: Int32) {
            self.interruption = interruption
            self.signal = signal
        }

        func came() {
            interruption.received = signal
            g_application_quit(g_application_get_default())
        }
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var current = sigaction()
        return sigaction(signal, nil, &current) == 0
            && unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
