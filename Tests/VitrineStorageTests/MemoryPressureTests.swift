import Foundation
import Glibc
import Testing
import VitrineBase

@testable import VitrineStorage

@Suite struct PressureJudgeTests {
    private static func group(
        high: UInt64 = 0, max: UInt64 = 0, oom: UInt64 = 0, oomKill: UInt64 = 0,
        current: UInt64, files: UInt64 = 0, limit: UInt64? = 1000, soft: UInt64? = nil
    ) -> GroupMemory {
        GroupMemory(
            events: .init(high: high, max: max, oom: oom, oomKill: oomKill), current: current,
            inactiveFiles: files, high: soft, maximum: limit)
    }

    @Test(
        "C2: how short memory is, from the numbers of a control group",
        arguments: [
            // Nothing has happened, however full it is.
            (group(current: 999), MemoryPressure.Level?.none),
            // At the limit by files that are only cached: nobody is harmed.
            (group(max: 5, current: 1000, files: 400), nil),
            (group(max: 5, current: 1000, files: 200), .warning),
            (group(max: 5, current: 1000, files: 50), .critical),
            (group(high: 1, current: 850), .warning),
            (group(high: 1, current: 990, limit: nil, soft: 1000), .critical),
            // The lower limit counts.
            (group(high: 1, current: 450, soft: 500), .warning),
            (group(high: 1, current: 450), nil),
            // Without a limit there is nothing to be full.
            (group(high: 1, current: .max, limit: nil), nil),
            (group(high: 1, current: 5, limit: 0), nil),
            // More files than memory is nonsense, and no reason to trap.
            (group(max: 1, current: 5, files: .max), nil),
            (group(oom: 1, current: 10), .critical),
            (group(oomKill: 1, current: 10, limit: nil), .critical),
        ])
    func table(group: GroupMemory, expected: MemoryPressure.Level?) {
        var judge = PressureJudge(first: GroupMemory())
        #expect(judge.level(stall: nil, group: group) == expected)
        #expect(judge.level(stall: nil, group: group) == nil, "the same events count once")
    }

    @Test("C2: the worse of what is known counts, and what happened before does not")
    func combined() {
        var judge = PressureJudge(first: Self.group(oom: 3, current: 10))
        #expect(judge.level(stall: nil, group: Self.group(oom: 3, current: 999)) == nil)
        #expect(judge.level(stall: .warning, group: nil) == .warning)
        #expect(judge.level(stall: .warning, group: Self.group(oom: 4, current: 1)) == .critical)
        #expect(judge.level(stall: .critical, group: Self.group(high: 1, current: 1)) == .critical)
        #expect(judge.level(stall: nil, group: nil) == nil)
    }
}

@Suite struct ControlGroupTests {
    private static let mounts = """
        22 27 0:21 / /sys rw,nosuid - sysfs sysfs rw
        30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
        """

    @Test(
        "C2: where a process's control group lies",
        arguments: [
            ("0::/user.slice/app.scope\n", mounts, "/sys/fs/cgroup/user.slice/app.scope"),
            ("0::/\n", mounts, "/sys/fs/cgroup"),
            ("4:memory:/x\n0::/a\n", mounts, "/sys/fs/cgroup/a"),
            ("4:memory:/x\n", mounts, nil),
            ("0::/../other\n", mounts, nil),
            ("0::/a\n", "1 2 0:1 / /sys rw - sysfs sysfs rw", nil),
            ("0::/a\n", "30 22 0:26 / /c\\040d rw - cgroup2 x rw", "/c d/a"),
            ("0::/pod/a\n", "30 22 0:26 /pod /cg rw - cgroup2 x rw", "/cg/a"),
            ("0::/pod\n", "30 22 0:26 /pod /cg rw - cgroup2 x rw", "/cg"),
            ("0::/podium\n", "30 22 0:26 /pod /cg rw - cgroup2 x rw", nil),
            ("", "", nil),
            ("0::/a\n", "- cgroup2\n30 - cgroup2", nil),
        ])
    func folder(groups: String, mounts: String, expected: String?) {
        #expect(ControlGroup.folder(groups: groups, mounts: mounts)?.folder == expected)
    }

    @Test("C2: the numbers of a group; what is missing or nonsense is no limit")
    func numbers() throws {
        let group = try GroupFolder()
        try group.write("memory.events", "low 0\nhigh 2\nmax 3\noom 4\noom_kill 5\nodd x\n")
        try group.write("memory.current", "123456\n")
        try group.write("memory.stat", "anon 1\ninactive_file 99\n")
        try group.write("memory.high", "max\n")
        try group.write("memory.max", "500000\n")
        #expect(
            ControlGroup(path: group.path).memory
                == GroupMemory(
                    events: .init(high: 2, max: 3, oom: 4, oomKill: 5), current: 123_456,
                    inactiveFiles: 99, high: nil, maximum: 500_000))
        #expect(ControlGroup(path: group.path + "/none").memory == nil)
    }
}

/// A folder with files like those of a control group.
private final class GroupFolder: Sendable {
    let path = NSTemporaryDirectory() + "vitrine-group-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        defer { close(file) }
        var bytes = Array(text.utf8)
        #expect(Glibc.write(file, &bytes, bytes.count) == bytes.count)
    }

    func makePipe(_ name: String) -> String {
        #expect(mkfifo(path + "/" + name, 0o600) == 0)
        return path + "/" + name
    }

    /// Numbers of a group that is full when the counts rise.
    func fill(high: Int = 0, oom: Int = 0) throws {
        try write("memory.current", "900\n")
        try write("memory.max", "1000\n")
        try write("memory.events", "low 0\nhigh \(high)\nmax 0\noom \(oom)\noom_kill 0\n")
    }
}

@Suite(.timeLimit(.minutes(1))) struct MemoryPressureTests {
    private final class Told: Sendable {
        let levels = Lock<[MemoryPressure.Level]>([])
        var all: [MemoryPressure.Level] { levels.withLock { $0 } }
        func add(_ level: MemoryPressure.Level) { levels.withLock { $0.append(level) } }
    }

    private func wait(
        _ what: Comment, until condition: () -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<2000 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record(what, sourceLocation: sourceLocation)
    }

    private func monitor(_ files: MemoryPressure.Files) -> MemoryPressure.Monitor {
        MemoryPressure.Monitor(files: { files }, pause: .milliseconds(1))
    }

    @Test("C2: events of the control group are told, while somebody wants to know")
    func group() async throws {
        let folder = try GroupFolder()
        try folder.fill()
        let monitor = monitor(MemoryPressure.Files(stalls: [], group: folder.path))
        #expect(!monitor.isWatching)
        let told = Told()
        var subscription: MemoryPressure.Subscription? = monitor.subscribe { told.add($0) }
        #expect(monitor.isWatching)
        // The thread may not have looked for the first time yet: what is counted before does not count.
        var count = 0
        try await wait("a warning came") {
            count += 1
            try? folder.fill(high: count)
            return told.all.contains(.warning)
        }
        #expect(!told.all.contains(.critical))
        try await wait("it is critical") {
            count += 1
            try? folder.fill(high: count, oom: count)
            return told.all.contains(.critical)
        }
        withExtendedLifetime(subscription) {}
        subscription = nil
        try await wait("the thread has ended") { !monitor.isWatching }
        let before = told.all.count
        try folder.fill(high: count + 1, oom: count + 1)
        try await Task.sleep(for: .milliseconds(50))
        #expect(told.all.count == before)
    }

    @Test("C2: stalls are told, and the thread comes back for who subscribes later")
    func stalls() async throws {
        let folder = try GroupFolder()
        let (some, full) = (folder.makePipe("some"), folder.makePipe("full"))
        let stall = { (path: String, level: MemoryPressure.Level) in
            MemoryPressure.Files.Stall(
                path: path, trigger: "some 140000 2000000", level: level, readiness: Int16(POLLIN))
        }
        let monitor = monitor(
            MemoryPressure.Files(
                stalls: [stall(some, .warning), stall(full, .critical)], group: nil))
        for round in 0..<3 {
            let told = Told()
            let subscription = monitor.subscribe { told.add($0) }
            let other = monitor.subscribe { _ in }
            other.cancel()
            try await wait("a stall is told, round \(round)") {
                try? folder.write("full", "x")
                return told.all.contains(.critical)
            }
            #expect(!told.all.contains(.warning))
            try await wait("the lesser stall too, round \(round)") {
                try? folder.write("some", "x")
                return told.all.contains(.warning)
            }
            subscription.cancel()
            try await wait("the thread has ended") { !monitor.isWatching }
        }
    }

    @Test(
        "C2: the kernel is asked with the trigger, and nothing that stays readable keeps it awake")
    func trigger() async throws {
        let folder = try GroupFolder()
        try folder.write("memory", "")
        let monitor = monitor(
            MemoryPressure.Files(
                stalls: [
                    .init(
                        path: folder.path + "/memory", trigger: "some 140000 2000000",
                        level: .warning)
                ], group: nil))
        let told = Told()
        let subscription = monitor.subscribe { told.add($0) }
        let path = folder.path + "/memory"
        try await wait("the trigger is written") {
            FileManager.default.contents(atPath: path) == Data("some 140000 2000000\0".utf8)
        }
        try await Task.sleep(for: .milliseconds(100))
        #expect(told.all.isEmpty, "a plain file is always readable, and that is no event")
        subscription.cancel()
    }

    @Test("C2: where nothing can be watched there is no thread, and what is announced arrives")
    func nothingToWatch() async throws {
        let monitor = monitor(
            MemoryPressure.Files(
                stalls: [.init(path: "/nonexistent/memory", trigger: "some", level: .warning)],
                group: "/nonexistent"))
        let told = Told()
        let subscription = monitor.subscribe { told.add($0) }
        try await wait("the thread has given up") { !monitor.isWatching }
        let later = monitor.subscribe { told.add($0) }
        #expect(!monitor.isWatching)
        monitor.announce(.warning)
        #expect(told.all == [.warning, .warning])
        later.cancel()
        monitor.announce(.critical)
        #expect(told.all == [.warning, .warning, .critical])
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "C2: a program that ends at once has opened nothing of the kernel, which is slow to close")
    func delay() async throws {
        let asked = Lock(0)
        let monitor = MemoryPressure.Monitor(
            files: {
                asked.withLock { $0 += 1 }
                return .init(stalls: [], group: nil)
            }, delay: .seconds(3600))
        let subscription = monitor.subscribe { _ in }
        #expect(monitor.isWatching)
        subscription.cancel()
        try await wait("the thread has ended") { !monitor.isWatching }
        #expect(asked.withLock { $0 } == 0)

        let soon = MemoryPressure.Monitor(
            files: {
                asked.withLock { $0 += 1 }
                return .init(stalls: [], group: nil)
            }, delay: .milliseconds(1))
        let other = soon.subscribe { _ in }
        try await wait("it has looked") { asked.withLock { $0 } == 1 }
        withExtendedLifetime(other) {}
    }

    @Test("C2: the files of this system can be watched, and let go of")
    func thisSystem() async throws {
        let monitor = MemoryPressure.Monitor(files: { .system })
        let told = Told()
        let subscription = monitor.subscribe { told.add($0) }
        subscription.cancel()
        try await wait("the thread has ended") { !monitor.isWatching }
        let files = MemoryPressure.Files.system
        #expect(files.stalls.count == (files.group == nil ? 2 : 4))
    }

    @Test("C2: many come and go at once")
    func comingAndGoing() async throws {
        let folder = try GroupFolder()
        try folder.fill()
        let monitor = monitor(MemoryPressure.Files(stalls: [], group: folder.path))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        let subscription = monitor.subscribe { _ in }
                        if (round + worker).isMultiple(of: 3) { monitor.announce(.warning) }
                        withExtendedLifetime(subscription) {}
                    }
                }
            }
        }
        try await wait("the thread has ended") { !monitor.isWatching }
    }
}
