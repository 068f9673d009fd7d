import CCurl
import Glibc
import VitrineBase

/// One thread that owns a curl multi handle and everything in it.
///
/// Other threads only put commands into the inbox; none of them ever waits for the loop.
final class CurlLoop: @unchecked Sendable {
    // Unchecked because `live`, `idleHandles` and `toServe` are touched by the loop thread only, and
    // curl's multi handle takes `curl_multi_wakeup` from any thread, which the inbox's lock keeps
    // from coming after the end.

    private enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
        case stop
    }

    private struct Inbox {
        var commands: [Command] = []
        /// The loop is about to wait, or waits already: somebody must wake it.
        var isAsleep = false
        /// Set when nothing is taken any more.
        var refusal: TransportError?
    }

    private static let maximumIdleHandles = 32
    private static let longestSleep: UInt64 = 60_000_000_000
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let configuration: CurlTransport.Configuration
    private let multi: UnsafeMutableRawPointer?
    private let inbox = Lock(Inbox())
    private var live: [UnsafeMutableRawPointer: Transfer] = [:]
    private var idleHandles: [UnsafeMutableRawPointer] = []
    private var toServe: [Transfer] = []

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        multi = Self.isReady ? curl_multi_init() : nil
        guard let multi else {
            refuseAll(because: "curl could not be started")
            return
        }
        func set(_ option: CURLMoption, _ value: Int) {
            ccurl_multi_set_long(multi, option, max(1, min(value, Int(Int32.max))))
        }
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        set(CURLMOPT_MAXCONNECTS, configuration.maximumIdleConnections)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, 100)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))

        let isRunning = BackgroundThread.start(named: "vitrine-http") {
            blockBrokenPipes()
            self.run()
        }
        guard isRunning else {
            curl_multi_cleanup(multi)
            refuseAll(because: "no thread could be started")
            return
        }
    }

    private func refuseAll(because reason: String) {
        inbox.withLock { $0.refusal = .other(host: "any host", code: 0, reason: reason) }
    }

    // MARK: From any thread

    func start(_ transfer: Transfer) { send(.start(transfer)) }
    func cancel(_ transfer: Transfer) { send(.cancel(transfer)) }
    func resume(_ transfer: Transfer) { send(.resume(transfer)) }
    func stop() { send(.stop) }

    private func send(_ command: Command) {
        let refusal = inbox.withLock { inbox -> TransportError? in
            if let refusal = inbox.refusal { return refusal }
            inbox.commands.append(command)
            if case .stop = command { inbox.refusal = .shutDown }
            // A loop at work looks into the inbox before it sleeps; and the first wakes it for all.
            if inbox.isAsleep, let multi {
                inbox.isAsleep = false
                curl_multi_wakeup(multi)
            }
            return nil
        }
        if let refusal, case .start(let transfer) = command { transfer.finish(.failure(refusal)) }
    }

    func now() -> UInt64 { TimeSource.system.uptime }

    // MARK: The loop thread

    private func run() {
        guard let multi else { return }
        var running: Int32 = 0
        while takeCommands() {
            curl_multi_perform(multi, &running)
            takeEnded(multi)
            serveReaders()
            let sleep = endOverdue()
            guard maySleep() else { continue }
            curl_multi_poll(multi, nil, 0, Int32((sleep + 999_999) / 1_000_000), nil)
        }
        for transfer in Array(live.values) { end(transfer, .failure(.shutDown)) }
        idleHandles.forEach(curl_easy_cleanup)
        idleHandles = []
        curl_multi_cleanup(multi)
    }

    /// False if there is something to do first.
    private func maySleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return inbox.isAsleep
        }
    }

    /// False when it is time to stop.
    private func takeCommands() -> Bool {
        let commands = inbox.withLock { inbox in
            inbox.isAsleep = false
            defer { inbox.commands = [] }
            return inbox.commands
        }
        var goesOn = true
        for command in commands {
            switch command {
            case .start(let transfer):
                transfer.began = now()
                transfer.lastActivity = transfer.began
                begin(transfer)
            case .cancel(let transfer): end(transfer, .failure(.cancelled))
            case .resume(let transfer): transfer.unpause()
            case .stop: goesOn = false
            }
        }
        return goesOn
    }

    private func begin(_ transfer: Transfer) {
        guard !transfer.cancelled.withLock({ $0 }) else {
            return transfer.finish(.failure(.cancelled))
        }
        if transfer.totalLimit == 0, let time = transfer.request.timeouts.total {
            return transfer.finish(.failure(.timeout(phase: .total, after: time)))
        }
        guard let multi, let easy = idleHandles.popLast() ?? curl_easy_init() else {
            return transfer.finish(.failure(outOfMemory(transfer)))
        }
        transfer.easy = easy
        live[easy] = transfer
        guard EasyHandle.configure(easy, for: transfer, configuration),
            curl_multi_add_handle(multi, easy) == CURLM_OK
        else { return end(transfer, .failure(outOfMemory(transfer))) }
    }

    private func outOfMemory(_ transfer: Transfer) -> TransportError {
        .other(
            host: transfer.origin.host, code: Int(CURLE_OUT_OF_MEMORY.rawValue),
            reason: "there is not enough memory")
    }

    /// Ends a transfer, if it has not ended.
    private func end(_ transfer: Transfer, _ result: Result<Void, TransportError>) {
        detach(transfer)
        transfer.finish(result)
    }

    private func detach(_ transfer: Transfer) {
        guard let easy = transfer.easy else { return }
        if let multi { curl_multi_remove_handle(multi, easy) }
        live[easy] = nil
        transfer.easy = nil
        if idleHandles.count < Self.maximumIdleHandles {
            curl_easy_reset(easy)
            idleHandles.append(easy)
        } else {
            curl_easy_cleanup(easy)
        }
        // Only now: the handle pointed to them.
        if let lines = transfer.lines { curl_slist_free_all(lines) }
        transfer.lines = nil
    }

    private func takeEnded(_ multi: UnsafeMutableRawPointer) {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while ccurl_next_ended(multi, &easy, &code) != 0 {
            guard let easy, let transfer = live[easy] else { continue }
            if code == CURLE_OK {
                end(transfer, .success(()))
            } else if mayRetry(transfer, easy, code) {
                detach(transfer)
                transfer.prepareForRetry()
                begin(transfer)
            } else {
                end(transfer, .failure(TransportError(code, of: transfer, easy)))
            }
        }
    }

    /// A server may close a connection that was idle just when it is used again (RFC 9112 §9.3.1).
    private func mayRetry(
        _ transfer: Transfer, _ easy: UnsafeMutableRawPointer, _ code: CURLcode
    ) -> Bool {
        guard [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains(code) else {
            return false
        }
        let isRepeatable = transfer.request.method == .get || transfer.request.method == .head
        return isRepeatable && transfer.request.body == nil && !transfer.wasRetried
            && transfer.isUnanswered && EasyHandle.long(easy, CURLINFO_NUM_CONNECTS) == 0
    }

    /// To be served when curl has read all that there is; from its callbacks.
    func serveSoon(_ transfer: Transfer) {
        guard !transfer.wakeIsPending else { return }
        transfer.wakeIsPending = true
        toServe.append(transfer)
    }

    private func serveReaders() {
        while !toServe.isEmpty {
            let transfers = toServe
            toServe = []
            for transfer in transfers {
                transfer.wakeIsPending = false
                if transfer.serveReader() { transfer.unpause() }
            }
        }
    }

    /// Ends what is past a time limit; returns the nanoseconds until the next one.
    ///
    /// The limits are our own: curl has none for a transfer that waits for a connection, and its
    /// low-speed limit is an average.
    private func endOverdue() -> UInt64 {
        var sleep = Self.longestSleep
        guard !live.isEmpty else { return sleep }
        let now = self.now()
        var overdue: [(Transfer, TransportError)] = []
        for transfer in live.values {
            let timeouts = transfer.request.timeouts
            func left(_ limit: UInt64, since start: UInt64) -> UInt64 {
                let passed = now >= start ? now - start : 0
                return limit > passed ? limit - passed : 0
            }
            if let limit = transfer.totalLimit, let time = timeouts.total {
                let rest = left(limit, since: transfer.began)
                if rest == 0 {
                    overdue.append((transfer, .timeout(phase: .total, after: time)))
                    continue
                }
                sleep = min(sleep, rest)
            }
            guard transfer.isConnected else {
                let rest = left(transfer.connectLimit, since: transfer.began)
                if rest == 0 {
                    overdue.append(
                        (transfer, .timeout(phase: .connect, after: timeouts.connect)))
                }
                sleep = min(sleep, max(rest, 1))
                continue
            }
            guard !transfer.isPaused else { continue }
            var rest = left(transfer.idleLimit, since: transfer.lastActivity)
            if rest == 0, sendsStill(transfer) {
                transfer.lastActivity = now
                rest = transfer.idleLimit
            }
            if rest == 0 {
                overdue.append((transfer, .timeout(phase: .idle, after: timeouts.idle)))
            }
            sleep = min(sleep, max(rest, 1))
        }
        for (transfer, error) in overdue { end(transfer, .failure(error)) }
        return sleep
    }

    /// Whether bytes of the request have left since the last look.
    private func sendsStill(_ transfer: Transfer) -> Bool {
        guard let easy = transfer.easy, transfer.request.body != nil else { return false }
        let uploaded = EasyHandle.offset(easy, CURLINFO_SIZE_UPLOAD_T)
        defer { transfer.uploaded = uploaded }
        return uploaded > transfer.uploaded
    }
}

/// A write to a connection that the server has closed must not end the process.
private func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
