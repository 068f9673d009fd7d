import CGTK
import Dispatch
import VitrineGTK

/// Everything that goes to the main queue runs on the loop's thread, and an idle loop sleeps.
@MainActor func jobs(_ words: [String]) {
    let loop = HostLoop()
    let diary = Diary([
        "async before attach", "task before attach", "async", "asyncAfter", "MainActor.run",
        "Task", "Task after sleep", "isolated call",
    ]) { loop.quit() }

    DispatchQueue.main.async { MainActor.assumeIsolated { diary.note("async before attach") } }
    Task { @MainActor in diary.note("task before attach") }
    attach()
    attach()
    Task.detached {
        await MainActor.run { diary.note("MainActor.run") }
        await diary.note("isolated call")
        DispatchQueue.main.async { MainActor.assumeIsolated { diary.note("async") } }
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
            MainActor.assumeIsolated { diary.note("asyncAfter") }
        }
        Task { @MainActor in
            diary.note("Task")
            try? await Task.sleep(for: .milliseconds(20))
            diary.note("Task after sleep")
        }
    }
    loop.run()

    // A signal that nobody takes away would wake it without end.
    let count = iterate(milliseconds: 200)
    Findings.expect(count < 100, "an idle loop sleeps; it was woken \(count) times")
}

/// Jobs wait while nobody serves the queue, and none is lost.
@MainActor func detaching(_ words: [String]) {
    attach(priority: 200)
    attach(priority: G_PRIORITY_LOW)
    let first = Switch()
    let second = Switch()
    DispatchQueue.main.async { MainActor.assumeIsolated { first.isOn = true } }
    _ = iterate(milliseconds: 100)
    Findings.expect(first.isOn, "an attached loop runs a job")

    MainLoop.detach()
    Findings.expect(!MainLoop.isAttached, "it is detached")
    DispatchQueue.main.async { MainActor.assumeIsolated { second.isOn = true } }
    _ = iterate(milliseconds: 100)
    Findings.expect(!second.isOn, "a detached loop runs no job")
    MainLoop.detach()

    let loop = HostLoop()
    attach()
    // From within a job, which goes on.
    DispatchQueue.main.async {
        MainLoop.detach()
        try? MainLoop.attach()
        DispatchQueue.main.async { MainActor.assumeIsolated { loop.quit() } }
    }
    loop.run()
    Findings.expect(second.isOn, "what has waited runs once the loop is attached again")
}

/// Attaches; that it cannot is a fault.
@MainActor func attach(priority: Int32 = MainLoop.defaultPriority) {
    do {
        try MainLoop.attach(priority: priority)
    } catch {
        Findings.expect(false, "attaching succeeds: \(error)")
    }
    Findings.expect(MainLoop.isAttached, "it is attached")
}
