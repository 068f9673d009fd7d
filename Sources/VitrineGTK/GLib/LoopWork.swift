import CGTK
import VitrineBase

/// Work for the thread that runs GLib's default main context: what came first is done first.
private final class LoopWork: Sendable {
    static let shared = LoopWork()

    typealias Body = @MainActor @Sendable () -> Void

    private struct Line {
        var bodies: [Body?] = []
        /// The index of the next one; those before have run.
        var next = 0

        var count: Int { bodies.count - next }

        mutating func removeFirst() -> Body? {
            guard next < bodies.count else { return nil }
            defer {
                bodies[next] = nil
                next += 1
                if next == bodies.count {
                    bodies.removeAll(keepingCapacity: bodies.count <= 256)
                    next = 0
                }
            }
            return bodies[next]
        }
    }

    private let line = Lock(Line())
    /// Asked for as long as something is in line.
    private let turn = LoopTurn(
        priority: MainLoop.defaultPriority, named: "Vitrine's results", canRecurse: true
    ) { LoopWork.shared.serve() }

    /// How long a turn may take, in microseconds, if no body takes longer by itself; then it is somebody
    /// else's.
    private static let share: gint64 = 8_000

    init() {}

    func add(_ body: @escaping Body) {
        line.withLock { line in
            line.bodies.append(body)
            if line.count == 1 { turn.ask() }
        }
    }

    /// What is in line now, not what is added meanwhile: a loop within a body goes on with the rest.
    private func serve() {
        let end = g_get_monotonic_time() + Self.share
        var count = line.withLock { $0.count }
        while count > 0, let body = removeFirst() {
            MainActor.assumeIsolated { body() }
            count -= 1
            if g_get_monotonic_time() >= end { break }
        }
        line.withLock { if $0.count > 0 { turn.ask() } }
    }

    private func removeFirst() -> Body? {
        line.withLock { line in
            let body = line.removeFirst()
            if line.count == 0 { turn.rest() }
            return body
        }
    }
}

/// Runs `body` soon on the thread that runs GLib's default main context, whoever serves libdispatch's
/// main queue there. Drawing goes first, but cannot keep it from running.
func onMainLoop(_ body: @escaping @MainActor @Sendable () -> Void) { LoopWork.shared.add(body) }
