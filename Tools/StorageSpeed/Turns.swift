import Glibc

/// Two contenders that take turns in one process.
enum Turns {
    struct Cost {
        /// Nanoseconds a call.
        let wall: Double
        /// The same of processor time, of all threads together.
        let cpu: Double

        static let none = Cost(wall: 0, cpu: 0)

        /// What each of `count` calls cost that were measured as one.
        func each(of count: Int) -> Cost {
            Cost(wall: wall / Double(count), cpu: cpu / Double(count))
        }
    }

    struct Failure: Error { let what: String }

    /// Lets both take one turn that does not count, then `pairs` by turns, and prints each pair.
    static func compare(
        _ name: String, pairs: Int = 15, ours: () throws -> Cost, theirs: () throws -> Cost
    ) rethrows {
        _ = try ours()
        _ = try theirs()
        for _ in 0..<pairs { report(name, try ours(), try theirs()) }
    }

    /// Prints what turns without a peer cost.
    static func measure(_ name: String, turns: Int = 15, _ turn: () throws -> Cost) rethrows {
        _ = try turn()
        for _ in 0..<turns { report(name, try turn(), .none) }
    }

    static func report(_ name: String, _ ours: Cost, _ theirs: Cost) {
        print("\(name)\t\(ours.wall)\t\(theirs.wall)\t\(ours.cpu)\t\(theirs.cpu)")
    }

    /// What one of `count` calls of `body` costs; it is handed their numbers.
    @inline(__always)
    static func cost(of count: Int, _ body: (Int) throws -> Void) rethrows -> Cost {
        let (wall, cpu) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
        for number in 0..<count { try body(number) }
        return Cost(
            wall: (now(CLOCK_MONOTONIC) - wall) / Double(count),
            cpu: (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / Double(count))
    }

    /// The same for calls that wait.
    static func cost(of count: Int, _ body: (Int) async throws -> Void) async rethrows -> Cost {
        let (wall, cpu) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
        for number in 0..<count { try await body(number) }
        return Cost(
            wall: (now(CLOCK_MONOTONIC) - wall) / Double(count),
            cpu: (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / Double(count))
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
