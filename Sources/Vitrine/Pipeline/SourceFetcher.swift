import FoundationEssentials
import Glibc
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// The bytes of a source, complete, and what is known of how they came.
struct FetchedBytes: Sendable {
    var data: Data
    var source: ImageResponse.Source
    var http: HTTPFacts?
    /// Until when images made of them may be used without asking; nil if they are stale already.
    var freshUntil: Date?
    /// Whether images made of them may be kept in memory for later loads.
    var isCacheable: Bool
    /// What is to be loaded once these bytes have been shown, since the server lets them answer while
    /// they are brought up to date (`stale-while-revalidate`).
    var refresh: ImageRequest?
    /// How long it took to get them.
    var duration = Duration.zero
    /// Stores the bytes, once somebody has found them to be an image; says whether others were stored.
    var keep: @Sendable () async -> Bool = { false }
    /// Drops what is stored of them, once somebody has found them to be none.
    var drop: @Sendable () async -> Void = {}
    /// Whether they were stored, all of them or their beginning, so that other ones may be had.
    var wasStored = false
}

/// Gets the bytes behind a request's URL: over HTTP and its cache, from a file, or from the URL.
struct SourceFetcher: Sendable {
    /// Hears of a transfer while it goes on.
    protocol Listener: Sendable {
        /// The body begins to arrive.
        func began(_ spool: BodySpool)
        /// More of it has arrived.
        func advanced(_ progress: ImageTask.Progress)
    }

    private let configuration: ImageLoader.Configuration
    private let transport: any Transport
    private let disk: DiskStore?
    private let cache: HTTPCache
    /// Where responses are kept that are not kept on disk.
    private let originals: MemoryResponseStore
    private let filePool = BlockingPool(name: "vitrine-file", threads: 2)

    init(
        configuration: ImageLoader.Configuration, transport: any Transport, disk: DiskStore?,
        time: TimeSource
    ) {
        self.configuration = configuration
        self.transport = transport
        self.disk = disk
        let originals = MemoryResponseStore(
            maximumBytes: disk == nil ? configuration.originalsCapacity : 0)
        self.originals = originals
        let store: any ResponseStore = disk.map { DiskResponseStore(disk: $0) } ?? originals
        cache = HTTPCache(over: transport, store: store, time: time)
    }

    /// Bytes of responses that are kept in memory.
    var originalsUsage: Int { originals.usedBytes }

    /// Forgets the responses in memory: those of a URL, or all.
    func removeOriginals(of url: URL? = nil) async {
        if let url { await originals.removeAll(for: url) } else { originals.removeAll() }
    }

    func fetch(
        _ request: ImageRequest, turn: AdmissionGate.Ticket, listener: some Listener
    ) async throws(ImageError) -> FetchedBytes {
        let scheme = request.url.scheme?.lowercased() ?? ""
        guard configuration.schemes.contains(scheme) else {
            throw ImageError(.unsupportedScheme(scheme), url: request.url)
        }
        switch scheme {
        case "http", "https": return try await fetchHTTP(request, turn, listener)
        case "file": return try await readFile(request)
        case "data": return try decodeDataURL(request)
        default: throw ImageError(.unsupportedScheme(scheme), url: request.url)
        }
    }

    // MARK: - HTTP

    private func fetchHTTP(
        _ request: ImageRequest, _ turn: AdmissionGate.Ticket, _ listener: some Listener
    ) async throws(ImageError) -> FetchedBytes {
        defer { turn.release() }
        let isRefreshDue = Lock(false)
        let cached = cache.transport(
            policy: request.cachePolicy, partition: request.partition,
            over: QueuedTransport(base: transport, turn: turn)
        ) { isRefreshDue.withLock { $0 = true } }
        let follower = RedirectFollower(over: cached, limit: configuration.maximumRedirects)
        let asked = httpRequest(request)
        let response: HTTP.Response
        do throws(TransportError) {
            response = try await follower.exchange(asked)
        } catch {
            throw ImageError(transport: error, url: request.url)
        }
        let facts = HTTPFacts(response)
        if response.status == 504, let cause = response.cause {
            throw ImageError(transport: cause, url: request.url)
        }
        guard (200..<300).contains(response.status) else {
            // Its ticket is not used: what is no picture is not kept, even where HTTP allows it.
            throw ImageError(.status(response.status), url: request.url, http: facts)
        }
        guard response.isWhole || asked.headers.contains("Range") else {
            let error = TransportError.badResponse(
                reason: "it is a part of the content, and the whole was asked for")
            throw ImageError(.transport(error), url: request.url, http: facts)
        }
        do throws(TransportError) {
            var fetched = try await receive(response, facts, listener)
            if isRefreshDue.withLock({ $0 }) { fetched.refresh = request }
            return fetched
        } catch {
            throw ImageError(transport: error, url: request.url, http: facts)
        }
    }

    private func httpRequest(_ request: ImageRequest) -> HTTP.Request {
        var headers = HTTP.Headers()
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            headers.add(name, value)
        }
        // Without it every coding would be fine with us (RFC 9110, section 12.5.3).
        if !headers.contains("Accept-Encoding") { headers.add("Accept-Encoding", "identity") }
        let timeouts = request.timeouts ?? configuration.timeouts
        return HTTP.Request(
            request.url, method: HTTP.Method(rawValue: request.method), headers: headers,
            body: request.body, secretHeaders: request.secretHeaders,
            timeouts: HTTP.Timeouts(
                connect: timeouts.connect, idle: timeouts.idle, total: timeouts.total),
            maximumBodyBytes: configuration.maximumBytes)
    }

    private func receive(
        _ response: HTTP.Response, _ facts: HTTPFacts, _ listener: some Listener
    ) async throws(TransportError) -> FetchedBytes {
        let isFresh = response.redirects.allSatisfy { $0.freshUntil != nil }
        let freshUntil = isFresh ? facts.freshUntil : nil
        if response.source != .network {
            let data = try await response.body.collect(limit: configuration.maximumBytes)
            let stored: ImageResponse.Source = disk == nil ? .originals : .disk
            return FetchedBytes(
                data: data, source: response.source == .cache ? stored : .revalidated, http: facts,
                freshUntil: freshUntil, isCacheable: isFresh, drop: response.discard ?? {},
                wasStored: response.discard != nil)
        }
        let total = facts.headers["content-length"].flatMap { Int($0) }
        let spool = BodySpool(directory: await spoolDirectory())
        listener.began(spool)
        let ticket = response.ticket
        do throws(TransportError) {
            for try await chunk in response.body {
                // A transport of the user's own need not keep to the request's limit.
                guard chunk.count <= max(0, configuration.maximumBytes) - spool.count else {
                    throw .bodyTooLarge(limit: configuration.maximumBytes)
                }
                try await spool.append(chunk)
                listener.advanced(ImageTask.Progress(received: spool.count, total: total))
                await ticket?.advance(spool)
            }
        } catch {
            await ticket?.storePart(spool, after: error)
            throw error
        }
        spool.finish()
        let data = try await spool.bytes()
        var fetched = FetchedBytes(
            data: data, source: .network, http: facts, freshUntil: freshUntil,
            isCacheable: isFresh && ticket != nil)
        if let ticket { fetched.keep = { await ticket.store(spool) } }
        fetched.wasStored = response.discard != nil
        fetched.drop = { [discard = response.discard] in
            await ticket?.discardParts()
            await discard?()
        }
        return fetched
    }

    /// A folder from which the disk cache can take a spool's file over by renaming it; nil if there
    /// is no disk cache, or if it cannot be opened.
    private func spoolDirectory() async -> String? {
        guard let disk, (try? await disk.open()) != nil else { return nil }
        return disk.temporaryDirectory
    }

    // MARK: - Files and data

    private func readFile(_ request: ImageRequest) async throws(ImageError) -> FetchedBytes {
        let url = request.url
        let host = url.host() ?? ""
        guard host.isEmpty || host == "localhost", !url.path().isEmpty else {
            throw ImageError(.invalidURL("a file URL names a path on this machine"), url: url)
        }
        let path = url.path(percentEncoded: false)
        guard !path.utf8.contains(0) else {
            // The system would take the path to end there.
            throw ImageError(.invalidURL("its path has a zero byte"), url: url)
        }
        let limit = configuration.maximumBytes
        do {
            let data = try await filePool.run(priority: request.priority) {
                try FileBytes.read(path, limit: limit)
            }
            return FetchedBytes(
                data: data, source: .file, freshUntil: .distantFuture, isCacheable: true)
        } catch let error as FileBytes.Failure {
            throw ImageError(.file(path: path, why: error.why), url: url)
        } catch {
            throw ImageError(.cancelled, url: url)
        }
    }

    private func decodeDataURL(_ request: ImageRequest) throws(ImageError) -> FetchedBytes {
        guard let data = DataURL.decode(request.url) else {
            throw ImageError(.invalidURL("its data are malformed"), url: request.url)
        }
        guard data.count <= configuration.maximumBytes else {
            let error = TransportError.bodyTooLarge(limit: configuration.maximumBytes)
            throw ImageError(.transport(error), url: request.url)
        }
        return FetchedBytes(
            data: data, source: .data, freshUntil: .distantFuture, isCacheable: true)
    }
}

extension HTTP.Response {
    /// Whether it holds all of the content: a 206 does only if its one range is the whole (RFC 9110,
    /// section 14.4).
    fileprivate var isWhole: Bool {
        guard status == 206 else { return true }
        guard let range = headers["Content-Range"], range.lowercased().hasPrefix("bytes ") else {
            return false
        }
        let parts = range.dropFirst(6).split(separator: "/").map { $0.filter { $0 != " " } }
        guard parts.count == 2, let length = Int(parts[1]), length > 0 else { return false }
        return parts[0] == "0-\(length - 1)"
    }
}

extension HTTPFacts {
    /// The coding in which the body came, in lower case; nil if it is plain.
    var contentCoding: String? {
        let coding = headers["content-encoding"]?.lowercased() ?? ""
        return coding.isEmpty || coding == "identity" ? nil : coding
    }

    init(_ response: HTTP.Response) {
        var headers: [String: String] = [:]
        for name in Set(response.headers.map { $0.name.lowercased() }) {
            headers[name] = response.headers[name]
        }
        // A response is as fresh as the stalest of the hops that led to it.
        let hops = response.redirects.map(\.freshUntil) + [response.freshUntil]
        let known = hops.compactMap { $0 }
        self.init(
            finalURL: response.url, status: response.status, headers: headers,
            freshUntil: known.count == hops.count ? known.min() : nil)
    }
}

extension ImageError {
    /// The transport's error as the caller of a load knows it.
    init(transport error: TransportError, url: URL, http: HTTPFacts? = nil) {
        switch error {
        case .cancelled: self.init(.cancelled, url: url, http: http)
        case .cacheMiss: self.init(.cacheMiss, url: url, http: http)
        default: self.init(.transport(error), url: url, http: http)
        }
    }
}
