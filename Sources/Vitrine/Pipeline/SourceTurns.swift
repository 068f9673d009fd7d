/// Which of a load's sources is tried, and when a failure is the load's: a pure state machine.
struct SourceTurns<Source: Sendable, Failure: Sendable>: Sendable {
    enum Action {
        /// Load this one.
        case load(Source)
        /// All have failed: this is the load's failure.
        case fail(Failure)
    }

    private var rest: ArraySlice<Source>
    private var first: Failure?

    /// The sources behind the first one, which is being tried.
    init(alternatives: [Source]) { rest = alternatives[...] }

    /// The source that was being tried has failed. Nothing else is tried if the failure is final.
    ///
    /// The load's failure is that of the source that was asked for, which is the one that people know.
    mutating func failed(_ failure: Failure, isFinal: Bool) -> Action {
        if isFinal { return .fail(failure) }
        let reported = first ?? failure
        first = reported
        guard let next = rest.popFirst() else { return .fail(reported) }
        return .load(next)
    }
}
