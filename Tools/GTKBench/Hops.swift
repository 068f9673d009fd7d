import Glibc

/// How long it takes from another thread to the main actor, which GLib's loop serves.
enum Hops {
    /// In milliseconds; between two of them the loop falls asleep, as between two events of a user.
    static func measure(count: Int) async -> [Double] {
        await Task.detached {
            var times: [Double] = []
            for _ in 0..<count {
                try? await Task.sleep(for: .milliseconds(1))
                let start = now()
                let arrival = await MainActor.run { now() }
                times.append((arrival - start) * 1000)
            }
            return times
        }.value
    }
}
