import CCurl
import FoundationEssentials
import VitrineBase

/// What the loop thread knows about one exchange, and what it shares with the reader.
final class Transfer: @unchecked Sendable {
    // Unchecked because everything that is not in `shared` is touched by the loop thread only (and
    // by the initializer, before the loop has seen it), and curl writes to `errorText` on that
    // thread.

    /// The head of a response as its lines come in.
    struct Head: Sendable {
        var status = 0
        var version = HTTP.Version.http11
        var headers = HTTP.Headers()
        var timings = HTTP.Timings()
    }

    private struct Shared: Sendable {
        var buffer = Data()
        var end: Result<Void, TransportError>?
        var wantsResume = false
        var reader: OneShot<Result<Data?, TransportError>>?
    }

    /// A transfer pauses when more than this waits for its reader, who takes all of it at once.
    static let highWater = 256 << 10
    static let maximumHeaderBytes = 256 << 10
    /// curl's own limit of one header line.
    static let maximumLineBytes = 100 << 10

    let request: HTTP.Request
    let origin: Origin
    let head = OneShot<Result<Head, TransportError>>()
    let cancelled = Lock(false)
    private let shared = Lock(Shared())

    // MARK: Loop thread only

    var easy: UnsafeMutableRawPointer?
    var lines: UnsafeMutablePointer<curl_slist>?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    let connectLimit: UInt64
    let idleLimit: UInt64
    let totalLimit: UInt64?
    let rule: AddressRule
    let wake: (Transfer) -> Void
    let now: () -> UInt64
    private(set) var received = 0
    private(set) var headerBytes = 0
    private var headBegan: UInt64 = 0
    private(set) var isConnected = false
    private(set) var isPaused = false
    private(set) var forbidden: IPAddress?
    /// Why a callback of ours made curl give up.
    private(set) var refusal: TransportError?
    var began: UInt64 = 0
    var lastActivity: UInt64 = 0
    var uploaded = 0
    var wasRetried = false
    /// curl falls back to HTTP/1.1 where a server offers nothing else over TLS.
    var requiresHTTP2 = false
    var wakeIsPending = false
    private var current = Head()
    private var headIsOut = false
    /// The head is complete, and its taker has not got it yet.
    private var headIsDue = false

    init(
        _ request: HTTP.Request, origin: Origin, rule: AddressRule,
        now: @escaping () -> UInt64, wake: @escaping (Transfer) -> Void
    ) {
        self.request = request
        self.origin = origin
        self.rule = rule
        self.now = now
        self.wake = wake
        connectLimit = request.timeouts.connect.clampedNanoseconds
        idleLimit = request.timeouts.idle.clampedNanoseconds
        totalLimit = request.timeouts.total?.clampedNanoseconds
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { errorText.deallocate() }

    /// Back to the state before the first attempt; the total time keeps running.
    func prepareForRetry() {
        wasRetried = true
        isConnected = false
        headerBytes = 0
        uploaded = 0
        current = Head()
        errorText.pointee = 0
        lastActivity = now()
    }

    var isHeadMissing: Bool { !headIsOut }

    /// Nothing of an answer has come.
    var isUnanswered: Bool { headerBytes == 0 && received == 0 }

    // MARK: curl's callbacks

    func connectionIsReady() {
        isConnected = true
        lastActivity = now()
    }

    /// Whether the rule lets this address be connected.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard !rule.allowsEverything else { return true }
        guard let address, rule.allows(address) else {
            forbidden = address ?? IPAddress(bytes: [0, 0, 0, 0])
            return false
        }
        return true
    }

    /// A head that comes a line at a time, or behind endless interim ones, would hold the connection for
    /// days: after ten times the idle limit its lines no longer count as a sign of life.
    private func noteHeadActivity() {
        let now = now()
        if headerBytes == 0 { headBegan = now }
        let (limit, overflow) = idleLimit.multipliedReportingOverflow(by: 10)
        if headIsOut || overflow || now &- headBegan <= limit { lastActivity = now }
    }

    /// One line of a header section; false ends the transfer.
    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        noteHeadActivity()
        headerBytes &+= line.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            return refuse(.headerTooLarge(limit: Self.maximumHeaderBytes))
        }
        guard !headIsOut else { return true }  // trailers
        if line.starts(with: "HTTP/".utf8) {
            current = Head()
            current.status = Self.status(in: line)
        } else if line.first == 0x0D || line.first == 0x0A {
            if current.status >= 200 { return deliverHead() }
        } else if let field = Self.field(in: line) {
            current.headers.add(field.name, field.value)
        }
        return true
    }

    enum BodyAnswer { case taken, pause, refused }

    /// Some bytes of the body.
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        lastActivity = now()
        if !headIsOut {
            // A body without the blank line before it follows a 101, which nobody asked for.
            _ = refuse(.badResponse(reason: "it has no final status"))
            return .refused
        }
        guard bytes.count <= max(0, request.maximumBodyBytes) - received else {
            _ = refuse(.bodyTooLarge(limit: request.maximumBodyBytes))
            return .refused
        }
        let (isTaken, somebodyWaits) = shared.withLock { shared in
            // The first bytes always go in, or a chunk above the limit would never get through.
            guard shared.buffer.isEmpty || shared.buffer.count + bytes.count <= Self.highWater
            else {
                shared.wantsResume = true
                return (false, shared.reader != nil)
            }
            shared.buffer.append(contentsOf: bytes)
            return (true, shared.reader != nil)
        }
        // Not here but once for all that curl has read: one wake-up, one chunk.
        if somebodyWaits { wake(self) }
        guard isTaken else {
            isPaused = true
            return .pause
        }
        received += bytes.count
        return .taken
    }

    private func refuse(_ error: TransportError) -> Bool {
        if refusal == nil { refusal = error }
        return false
    }

    private func deliverHead() -> Bool {
        headIsOut = true
        switch contentLength {
        case .none: break
        case .bytes(let length) where request.method != .head:
            guard length <= request.maximumBodyBytes else {
                return refuse(.bodyTooLarge(limit: request.maximumBodyBytes))
            }
            // What is promised may never come, so no more than waits at most.
            shared.withLock { $0.buffer.reserveCapacity(max(0, min(length, Self.highWater))) }
        case .bytes: break
        case .contradictory:
            return refuse(.badResponse(reason: "it says two different lengths of its body"))
        }
        if let easy {
            current.version = EasyHandle.version(of: easy)
            if requiresHTTP2, current.version != .http2 {
                return refuse(.badResponse(reason: "it is \(current.version), and not HTTP/2"))
            }
            current.timings = EasyHandle.timings(of: easy)
        }
        current.timings.firstByte = .nanoseconds(Int64(clamping: now() &- began))
        // Not here but when curl has read all that there is: who waits for the head is woken once, and
        // finds a short body there, too.
        headIsDue = true
        wake(self)
        return true
    }

    private enum ContentLength { case none, bytes(Int), contradictory }

    /// What the head says of the body's length. Several lines, or a list, must agree (RFC 9112 §6.3);
    /// curl would take the last. What is beyond every number is the largest.
    private var contentLength: ContentLength {
        // Then it does not count (RFC 9112 §6.3).
        guard !current.headers.contains("Transfer-Encoding") else { return .none }
        let texts = current.headers.values(for: "Content-Length").flatMap { line in
            line.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        let lengths = Set(
            texts.compactMap { text -> Int? in
                guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return Int(text)
                }
                return Int(text) ?? .max
            })
        guard let length = lengths.first else { return .none }
        return lengths.count == 1 ? .bytes(length) : .contradictory
    }

    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        guard let space = line.firstIndex(of: 0x20) else { return 0 }
        var status = 0
        for byte in line[(space + 1)...].prefix(3) where byte >= 0x30 && byte <= 0x39 {
            status = status * 10 + Int(byte - 0x30)
        }
        return status
    }

    private static func field(
        in line: UnsafeRawBufferPointer
    ) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, first <= 0x20 { value = value.dropFirst() }
        while let last = value.last, last <= 0x20 { value = value.dropLast() }
        return (text(line[..<colon]), text(value))
    }

    /// UTF-8 if it is that, else ISO 8859-1, in which every byte is a character.
    private static func text(_ slice: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: slice)
        // Nearly all are ASCII, for which validating is slow.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    // MARK: The reader's side

    /// The next bytes: all that wait, as one; nil at the end.
    ///
    /// - Parameter resume: called when a paused transfer should go on.
    /// - Parameter cancel: called when the task is cancelled meanwhile.
    func next(
        resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
    ) async throws(TransportError) -> Data? {
        let (found, replaced, mustResume) = shared.withLock { shared in
            let replaced = shared.reader
            shared.reader = nil
            let found: Found
            if let next = Self.takeNext(&shared) {
                found = .next(next)
            } else {
                let mine = OneShot<Result<Data?, TransportError>>()
                shared.reader = mine
                found = .wait(mine)
            }
            // Whatever there was has been taken.
            defer { shared.wantsResume = false }
            return (found, replaced, shared.wantsResume)
        }
        // A body has one reader. A second one takes the place of the first, which gets an error: an
        // end would make it take a part for the whole.
        replaced?.fulfil(.failure(.cancelled))
        if mustResume { resume() }
        switch found {
        case .next(let next): return try next.get()
        case .wait(let mine):
            return try await withTaskCancellationHandler {
                await mine.value()
            } onCancel: {
                mine.fulfil(.failure(.cancelled))
                cancel()
            }.get()
        }
    }

    private enum Found {
        case next(Result<Data?, TransportError>)
        case wait(OneShot<Result<Data?, TransportError>>)
    }

    private static func takeNext(_ shared: inout Shared) -> Result<Data?, TransportError>? {
        if !shared.buffer.isEmpty {
            let data = shared.buffer
            shared.buffer = Data()
            return .success(data)
        }
        return shared.end.map { $0.map { nil } }
    }

    /// Hands out the head, and a waiting reader all that there is; true if a paused transfer should go
    /// on.
    func serveReader() -> Bool {
        if headIsDue {
            headIsDue = false
            head.fulfil(.success(current))
        }
        let (reader, next, mustResume) = shared.withLock { shared in
            guard let reader = shared.reader, let next = Self.takeNext(&shared) else {
                return (nil, nil, false)
                    as (
                        OneShot<Result<Data?, TransportError>>?, Result<Data?, TransportError>?,
                        Bool
                    )
            }
            shared.reader = nil
            defer { shared.wantsResume = false }
            return (reader, next, shared.wantsResume)
        }
        if let next { reader?.fulfil(next) }
        return mustResume
    }

    /// Lets curl deliver again; on the loop thread, outside its callbacks.
    func unpause() {
        guard isPaused, let easy else { return }
        isPaused = false
        lastActivity = now()
        curl_easy_pause(easy, Int32(CURLPAUSE_CONT))
    }

    /// Ends it, once; what was received stays readable before the error.
    func finish(_ result: Result<Void, TransportError>) {
        if case .success = result, !headIsOut {
            // curl takes a head that breaks off for a whole one.
            return finish(.failure(refusal ?? .connectionLost(received: 0)))
        }
        shared.withLock { shared in
            if shared.end == nil { shared.end = result }
        }
        _ = serveReader()
        if case .failure(let error) = result { head.fulfil(.failure(error)) }
    }
}

extension Transfer {
    /// Marks it as cancelled: a start that comes later does nothing.
    func cancel() {
        cancelled.withLock { $0 = true }
        head.fulfil(.failure(.cancelled))
    }
}
