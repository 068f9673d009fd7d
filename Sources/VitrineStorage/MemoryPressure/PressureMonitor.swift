import Glibc
import VitrineBase

extension MemoryPressure {
    /// Tells those who want to know when memory is short.
    ///
    /// On Linux it hears of that from the kernel: by pressure stall information (`/proc/pressure/memory`,
    /// and `memory.pressure` of the process's control group), and by `memory.events` of that group, where
    /// memory is limited (cgroup v2). What is not there, or not permitted, is left out without a word.
    /// One thread waits, asleep, as long as somebody subscribes, and tells at most one level in a second.
    /// It looks for the first time two seconds after the first subscription: the kernel takes 10 ms to
    /// close each of its files, which would hold up the end of every short program.
    /// A program whose toolkit has news of its own hands them in with ``announce(_:)``.
    public final class Monitor: Sendable {
        /// The one that everybody may use.
        public static let shared = Monitor(files: { .system }, delay: .seconds(2))

        private struct State {
            var handlers: [Int: @Sendable (Level) -> Void] = [:]
            var lastNumber = 0
            var wake: WakePipe?
            var isWatching = false
            /// There is nothing to watch on this system.
            var isBlind = false
        }
        private let state = Lock(State())
        private let files: @Sendable () -> Files
        private let delay: Duration
        private let pause: Duration

        /// One that watches these files, which are found on its thread after `delay`, and rests for `pause`
        /// after each event.
        package init(
            files: @escaping @Sendable () -> Files, delay: Duration = .zero,
            pause: Duration = .seconds(1)
        ) {
            self.files = files
            self.delay = delay
            self.pause = pause
        }

        /// Has `handler` called, on a thread of the monitor or of whoever announces, until the
        /// subscription is released or cancelled.
        public func subscribe(_ handler: @escaping @Sendable (Level) -> Void) -> Subscription {
            let (number, isFirst) = state.withLock { state in
                state.lastNumber += 1
                state.handlers[state.lastNumber] = handler
                guard !state.isWatching, !state.isBlind, let wake = state.wake ?? WakePipe() else {
                    return (state.lastNumber, false)
                }
                state.wake = wake
                state.isWatching = true
                return (state.lastNumber, true)
            }
            if isFirst,
                !BackgroundThread.start(named: "vitrine-memory", { self.watch() })
            {
                state.withLock { $0.isWatching = false }
            }
            return Subscription(monitor: self, number: number)
        }

        /// Tells all who subscribe, on the calling thread.
        public func announce(_ level: Level) {
            for handler in state.withLock({ Array($0.handlers.values) }) { handler(level) }
        }

        /// Whether the thread runs.
        package var isWatching: Bool { state.withLock { $0.isWatching } }

        fileprivate func remove(_ number: Int) {
            let (handler, wake) = state.withLock { state in
                let handler = state.handlers.removeValue(forKey: number)
                return (handler, state.handlers.isEmpty && state.isWatching ? state.wake : nil)
            }
            wake?.signal()
            withExtendedLifetime(handler) {}
        }

        // MARK: - The thread

        private func watch() {
            guard let wake = state.withLock({ $0.wake }) else { return }
            if delay > .zero { wake.wait(for: delay) }
            if endsForNobody() { return }
            var watch = PressureWatch(files())
            while watch.seesAnything {
                let level = watch.next(wake: wake.file)
                wake.clear()
                if endsForNobody() { return }
                if let level { announce(level) }
                wake.wait(for: pause)  // events may come by the thousand
            }
            state.withLock { state in
                state.isWatching = false
                state.isBlind = true
            }
        }

        /// Whether nobody wants to know any more, so that the thread is to end.
        private func endsForNobody() -> Bool {
            state.withLock { state in
                if state.handlers.isEmpty { state.isWatching = false }
                return !state.isWatching
            }
        }
    }

    /// Somebody's wish to be told; ends with this object, or when it is cancelled.
    public final class Subscription: Sendable {
        private let monitor: Monitor
        private let number: Int

        fileprivate init(monitor: Monitor, number: Int) {
            self.monitor = monitor
            self.number = number
        }

        deinit { monitor.remove(number) }

        /// Ends it. A call of the handler that has begun goes on.
        public func cancel() { monitor.remove(number) }
    }
}
