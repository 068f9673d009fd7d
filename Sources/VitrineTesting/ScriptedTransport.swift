public import FoundationEssentials
import VitrineBase
public import VitrineHTTP

/// A transport that answers as a test tells, and remembers what it was asked. No network is touched.
///
/// A URL without an answer is answered with 404. Time limits of requests are not kept: a test that
/// wants one to pass scripts its `TransportError.timeout`.
public final class ScriptedTransport: Transport {
    private struct State {
        var answers: [URL: [ScriptedAnswer]] = [:]
        var others = ScriptedAnswer.status(404)
        var requests: [HTTP.Request] = []
        var active = 0
        var mostActive = 0
        var watchers: [Watcher] = []

        /// Those who waited for what is so now.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let now = self
            let ready = watchers.filter { $0.isMet(now) }
            if !ready.isEmpty { watchers.removeAll { $0.isMet(now) } }
            return ready.map(\.continuation)
        }
    }

    private struct Watcher {
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// What delays and pauses go by.
    public let clock: ManualClock
    private let state = Lock(State())

    /// A transport that answers everything with 404, until it is told otherwise.
    public init(clock: ManualClock = ManualClock()) { self.clock = clock }

    // MARK: What it answers

    /// Answers requests for the URL, of any method: the first with the first answer and so on, and all
    /// others with the last one. Takes the place of what was said before.
    public func answer(_ url: URL, with answers: ScriptedAnswer...) {
        state.withLock { $0.answers[url] = answers }
    }

    /// Answers requests for all URLs for which nothing else was said.
    public func answerOthers(with answer: ScriptedAnswer) {
        state.withLock { $0.others = answer }
    }

    // MARK: What it was asked

    /// The requests so far, in the order in which they came.
    public var requests: [HTTP.Request] { state.withLock { $0.requests } }

    /// The requests for the URL so far.
    public func requests(for url: URL) -> [HTTP.Request] {
        state.withLock { $0.requests.filter { $0.url == url } }
    }

    /// Exchanges under way: begun, and neither read to their end nor failed or given up.
    public var active: Int { state.withLock { $0.active } }

    /// The most exchanges that were under way at a time.
    public var mostActive: Int { state.withLock { $0.mostActive } }

    /// Suspends until there were so many requests in all.
    public func waitForRequests(_ count: Int = 1) async {
        await wait { $0.requests.count >= count }
    }

    /// Suspends until no exchange is under way: a load that is cancelled has ended at once, and its
    /// exchange soon afterwards.
    public func waitUntilIdle() async {
        await wait { $0.active == 0 }
    }

    private func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if isMet(state) { return true }
                state.watchers.append(Watcher(isMet: isMet, continuation: continuation))
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    // MARK: Answering

    /// Answers as was told.
    public func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        let answer = begin(request)
        let ending = Ending(self)
        try await wait(for: answer.before)
        switch answer.outcome {
        case .failure(let error): throw error
        case .response(let status, let headers, let chunks, let failure):
            let isHead = request.method == .head
            return HTTP.Response(
                url: request.url, status: status, headers: headers,
                body: body(isHead ? [] : chunks, answer.between, failure, ending))
        }
    }

    private func begin(_ request: HTTP.Request) -> ScriptedAnswer {
        let (answer, watchers) = state.withLock { state in
            let earlier = state.requests.count { $0.url == request.url }
            state.requests.append(request)
            state.active += 1
            state.mostActive = max(state.mostActive, state.active)
            let answers = state.answers[request.url] ?? []
            let answer = earlier < answers.count ? answers[earlier] : answers.last
            return (answer ?? state.others, state.takeWatchers())
        }
        for watcher in watchers { watcher.resume() }
        return answer
    }

    private func body(
        _ chunks: [Data], _ between: [ScriptedAnswer.Step], _ failure: TransportError?,
        _ ending: Ending
    ) -> HTTP.Body {
        let next = Lock(0)
        return HTTP.Body(
            next: { () async throws(TransportError) -> Data? in
                let place = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                if place > 0, place < chunks.count { try await self.wait(for: between) }
                if Task.isCancelled { throw .cancelled }
                if place < chunks.count { return chunks[place] }
                ending.end()
                if let failure { throw failure }
                return nil
            }, cancel: { ending.end() })
    }

    private func wait(for steps: [ScriptedAnswer.Step]) async throws(TransportError) {
        do {
            for step in steps {
                switch step {
                case .sleep(let duration): try await clock.sleep(for: duration)
                case .pass(let gate): try await gate.pass()
                }
            }
        } catch {
            throw .cancelled
        }
    }

    /// Counts one exchange out, at the latest when nobody holds it any more.
    private final class Ending: Sendable {
        private let transport: Lock<ScriptedTransport?>

        init(_ transport: ScriptedTransport) { self.transport = Lock(transport) }

        deinit { end() }

        func end() {
            let transport = transport.withLock { transport in
                defer { transport = nil }
                return transport
            }
            let watchers = transport?.state.withLock { state in
                state.active -= 1
                return state.takeWatchers()
            }
            for watcher in watchers ?? [] { watcher.resume() }
        }
    }
}
