import CGTK
import Dispatch
import Vitrine
import VitrineGTK

/// Drawing that is always ready, as by OpenGL without a graphics card: what has come by each way gets its
/// turn nevertheless. Whoever never does is named after 3,000 frames of 1 ms: `starved [attached]`.
@MainActor func starving(_ words: [String]) {
    let isAttached = words.first == "attached"
    let ways = ["delivery"] + (isAttached ? ["async", "MainActor.run", "Task after sleep"] : [])
    if isAttached { attach() }
    let loop = HostLoop()
    let diary = Diary(Set(ways)) { loop.quit() }
    let frames = Frames(longest: 3_000) {
        Findings.expect(false, "only \(diary.names.sorted()) of \(ways) ran beside drawing")
        loop.quit()
    }
    Task.detached {
        Delivery.mainLoop.hand { MainActor.assumeIsolated { diary.note("delivery") } }
        guard isAttached else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { diary.note("async") } }
        await MainActor.run { diary.note("MainActor.run") }
        Task { @MainActor in
            try? await Task.sleep(for: .milliseconds(20))
            diary.note("Task after sleep")
        }
    }
    loop.run()
    frames.stop()
}

/// Jobs and deliveries without end, beside drawing that is always ready: each goes on. Prints how many frames
/// there were while jobs and deliveries, of 1 ms, came to 200 each.
@MainActor func contending(_ words: [String]) {
    attach()
    let contest = Contest()
    let frames = Frames(longest: 20_000) {
        Findings.expect(false, "jobs and deliveries go on: \(contest.done)")
        contest.loop.quit()
    }
    contest.run()
    frames.stop()
    Findings.say("frames \(frames.count)")
}

@MainActor private final class Contest {
    enum Way { case job, delivery }

    let loop = HostLoop()
    private(set) var done: [Way: Int] = [:]

    func run() {
        start(.job)
        // Many at once, which one turn could not all do within a frame.
        for _ in 0..<20 { start(.delivery) }
        loop.run()
    }

    private func start(_ way: Way) {
        switch way {
        case .job: DispatchQueue.main.async { MainActor.assumeIsolated { self.work(way) } }
        case .delivery:
            Task.detached {
                Delivery.mainLoop.hand { MainActor.assumeIsolated { self.work(way) } }
            }
        }
    }

    private func work(_ way: Way) {
        spend(microseconds: 1000)
        done[way, default: 0] += 1
        if done.values.filter({ $0 >= 200 }).count == 2 { loop.quit() } else { start(way) }
    }
}

/// What draws without a pause, at GDK's priority of drawing.
@MainActor private final class Frames {
    private(set) var count = 0
    private let longest: Int
    private let tooMany: () -> Void
    private var source: guint = 0

    init(longest: Int, tooMany: @escaping () -> Void) {
        self.longest = longest
        self.tooMany = tooMany
        next()
    }

    private func next() {
        source = after(milliseconds: 0, priority: 120) {
            self.count += 1
            spend(microseconds: 1000)
            if self.count == self.longest { return self.tooMany() }
            self.next()
        }
    }

    func stop() { g_source_remove(source) }
}

/// Works for so long.
@MainActor private func spend(microseconds: Int) {
    let end = g_get_monotonic_time() + microseconds
    while g_get_monotonic_time() < end {}
}
