import CGTK
import Dispatch
import VitrineBase
import VitrineGTK

/// An application is left from a job while tasks go on without end.
@MainActor func quitting(_ words: [String]) {
    attach()
    guard let application = g_application_new(nil, G_APPLICATION_NON_UNIQUE) else {
        return Findings.expect(false, "there is an application")
    }
    nonisolated(unsafe) let app = application
    let turns = Lock(0)
    let late = Switch()
    g_application_hold(application)
    g_signal_connect_data(
        application, "activate", unsafeBitCast(noActivation, to: GCallback.self), nil, nil,
        GConnectFlags(rawValue: 0))
    Task.detached { while true { await Task.yield() } }
    Task { @MainActor in
        while true {
            turns.withLock { $0 += 1 }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
    Task { @MainActor in
        while turns.withLock({ $0 }) < 5 { try? await Task.sleep(for: .milliseconds(1)) }
        g_application_quit(app)
        DispatchQueue.main.async { MainActor.assumeIsolated { late.isOn = true } }
    }
    let status = g_application_run(application, 0, nil)
    Findings.expect(status == 0, "the application ends well, not with \(status)")
    Findings.expect(!late.isOn, "no job runs after the loop")
    Findings.say("left")
}

/// GIO complains where nobody listens to the signal.
private let noActivation: @convention(c) (gpointer?, gpointer?) -> Void = { _, _ in }
