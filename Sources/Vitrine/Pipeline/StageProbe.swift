import VitrineBase

/// Tells an observer of the stages of some work. There is none where nobody observes.
struct StageProbe: Sendable {
    let observer: any LoadObserver
    let time: TimeSource
    let url: URL
    /// For whom the work is done just now.
    let loads: @Sendable () -> [UInt64]

    /// A stage that has begun, and is to be ended once.
    struct Span: Sendable {
        fileprivate let probe: StageProbe
        fileprivate let stage: LoadEvent.Stage
        fileprivate let startedAt: UInt64
        fileprivate let loads: [UInt64]

        func end(_ facts: LoadEvent.Facts = LoadEvent.Facts()) {
            let now = probe.time.uptime
            let waiting = probe.loads()
            // Where all have left, it was for those who were there at its beginning.
            probe.tell(
                stage, .ended(after: .nanoseconds(clamping: now &- startedAt), facts),
                waiting.isEmpty ? loads : waiting, at: now)
        }

        func end(_ error: ImageError) { end(LoadEvent.Facts(error: error)) }
    }

    func begin(_ stage: LoadEvent.Stage) -> Span {
        let now = time.uptime
        let loads = loads()
        tell(stage, .began, loads, at: now)
        return Span(probe: self, stage: stage, startedAt: now, loads: loads)
    }

    private func tell(
        _ stage: LoadEvent.Stage, _ moment: LoadEvent.Moment, _ loads: [UInt64], at now: UInt64
    ) {
        observer.observe(
            LoadEvent(
                loads: loads, url: url, stage: stage, moment: moment,
                time: .nanoseconds(clamping: now)))
    }
}
