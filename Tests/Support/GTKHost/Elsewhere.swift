import CGTK
import Dispatch
import VitrineBase
import VitrineGTK

/// What has gone wrong before or after attaching is said, and ends nothing.
@MainActor func elsewhere(_ words: [String]) {
    let refusal = Lock(MainLoop.AttachError?.none)
    onThread { refusal.withLock { $0 = attachError() } }
    Findings.expect(
        refusal.withLock { $0 } == .notOnMainThread, "another thread cannot attach")
    Findings.expect(!MainLoop.isAttached, "a failed call changes nothing")

    let isTaken = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let isFree = DispatchSemaphore(value: 0)
    let hasStarted = BackgroundThread.start(named: "taker") {
        g_main_context_acquire(nil)
        isTaken.signal()
        mayGo.wait()
        g_main_context_release(nil)
        isFree.signal()
    }
    Findings.expect(hasStarted, "there is a thread")
    isTaken.wait()
    Findings.expect(attachError() == .loopOnAnotherThread, "the loop is elsewhere")
    Findings.expect(!MainLoop.isAttached, "nothing has changed")
    mayGo.signal()
    isFree.wait()

    attach()
    let served = Switch()
    DispatchQueue.main.async { MainActor.assumeIsolated { served.isOn = true } }
    onThread { for _ in 0..<20 { g_main_context_iteration(nil, 0) } }
    Findings.expect(!MainLoop.isAttached, "a loop on another thread stops serving")
    Findings.expect(!served.isOn, "and runs no job")
    attach()
    _ = iterate(milliseconds: 100)
    Findings.expect(served.isOn, "back on the main thread it serves again")
}

/// As after an `await` in an asynchronous main: the first thread is parked for good.
@MainActor func parked(_ words: [String]) {
    DispatchQueue.main.async {
        MainActor.assumeIsolated {
            Findings.expect(attachError() == .notOnMainThread, "there is no main thread any more")
            Findings.expect(!MainLoop.isAttached, "nothing has changed")
            Findings.say(MainLoop.AttachError.notOnMainThread.description)
            Findings.end()
        }
    }
    dispatchMain()
}

private func attachError() -> MainLoop.AttachError? {
    do throws(MainLoop.AttachError) {
        try MainLoop.attach()
        return nil
    } catch {
        return error
    }
}

/// Runs the body on a thread of its own and waits for it.
private func onThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    _ = BackgroundThread.start(named: "elsewhere") {
        body()
        isDone.signal()
    }
    isDone.wait()
}
