import CGTK
import Vitrine
import VitrineGTK

/// How long it takes from another thread to the main one: `hops [COUNT]`.
@MainActor func hops(_ words: [String]) {
    let count = max(words.first.flatMap { Int($0) } ?? 1000, 1)
    attach()
    let loop = HostLoop()
    Task.detached {
        var job: [Int] = []
        var idle: [Int] = []
        var both: [Int] = []
        for _ in 0..<count {
            // As between two events of a user, the loop falls asleep each time.
            try? await Task.sleep(for: .milliseconds(1))
            var start = g_get_monotonic_time()
            let arrival = await MainActor.run { g_get_monotonic_time() }
            let back = g_get_monotonic_time()
            job.append(arrival - start)
            both.append(back - start)
            try? await Task.sleep(for: .milliseconds(1))
            start = g_get_monotonic_time()
            let delivery = await withCheckedContinuation { continuation in
                Delivery.mainLoop.hand { continuation.resume(returning: g_get_monotonic_time()) }
            }
            idle.append(delivery - start)
        }
        let lines = [
            line("to the main actor", job), line("and back", both),
            line("by Delivery.mainLoop", idle),
        ]
        await MainActor.run {
            for line in lines { Findings.say(line) }
            loop.quit()
        }
    }
    loop.run()
}

private func line(_ name: String, _ times: [Int]) -> String {
    let sorted = times.sorted()
    let median = sorted[sorted.count / 2]
    let tail = sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
    return "\(name): p50 \(median) µs, p99 \(tail) µs, of \(sorted.count)"
}
