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
    /// When they arrived from the server, or were read.
    var receivedAt: Date?
    /// The uptime at which they were asked for.
    var askedAt: UInt64 = 0
    /// Known once they have been decoded.
    var checksum: UInt64?
    /// Whether images made of them may be kept in memory for later loads.
    var isCacheable: Bool
    /// What is to be loaded once these bytes have been shown, since the server lets them answer while
    /// they are brought up to date (`stale-while-revalidate`).
    var refresh: ImageRequest?
    /// How long it took to get them.
    var duration = Duration.zero
    /// How much of that was spent waiting for a turn to download; nil if none was needed.
    var queue: Duration?
    /// How often the source was asked.
    var attempts = 1
    /// How many of the bytes were held of an earlier download that was cut off.
    var resumedBytes = 0
    /// Under what the HTTP cache has them, or will have them once they are kept, and whether it does.
    var place: HTTP.Response.Place?
    var keeping = ImageResponse.Keeping.unknown
    /// Whether anything of the load may be kept still.
    let permit: KeepPermit
    /// Stores the bytes, once somebody has found them to be an image; nil if they are not to be stored.
    var keep: (@Sendable () async -> Bool)?
    /// What has become of that.
    let outcome = Lock(StoreTicket.Outcome(isStored: false))
    /// Drops what is stored of them, once somebody has found them to be no image.
    var drop: @Sendable () async -> Void = {}
    /// Whether they were stored, all of them or their beginning, so that other ones may be had.
    var wasStored = false

    /// What tells them from others of their source; nil until they have been decoded.
    var stamp: KnownBytes.Stamp? {
        guard let checksum else { return nil }
        let isAnew = [.network, .revalidated, .file, .data].contains(source)
        return KnownBytes.Stamp(
            checksum: checksum, receivedAt: receivedAt?.timeIntervalSince1970,
            askedAt: isAnew ? askedAt : nil)
    }
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

    let configuration: ImageLoader.Configuration
    private let transport: any Transport
    private let challenges: ChallengeMemory
    let stores: ResponseStores
    let time: TimeSource
    /// What requests say that have no `Accept` of their own. Found by the first that needs it, since it
    /// takes a look at what is installed, and loaders are made on the main thread.
    private let accept = Lock<String?>(nil)
    let filePool = BlockingPool(name: "vitrine-file", threads: 2)

    init(
        configuration: ImageLoader.Configuration, challenges: ChallengeMemory,
        transport: any Transport, stores: ResponseStores, time: TimeSource
    ) {
        self.configuration = configuration
        self.challenges = challenges
        self.transport = transport
        self.stores = stores
        self.time = time
    }

    func fetch(
        _ request: ImageRequest, as standing: Standing, permit: KeepPermit,
        turn: AdmissionGate.Ticket, priority: WorkPriority, log: FetchLog,
        listener: some Listener
    ) async throws(ImageError) -> FetchedBytes {
        let askedAt = time.uptime
        do throws(ImageError) {
            var bytes = try await fetch(request, standing, permit, turn, priority, log, listener)
            bytes.askedAt = askedAt
            log.end(
                LoadEvent.Facts(
                    source: bytes.source, bytes: bytes.data.count, status: bytes.http?.status))
            return bytes
        } catch {
            let error = error.isCancelled ? error : log.refusal ?? error
            log.ended(error)
            throw error
        }
    }

    private func fetch(
        _ request: ImageRequest, _ standing: Standing, _ permit: KeepPermit,
        _ turn: AdmissionGate.Ticket, _ priority: WorkPriority, _ log: FetchLog,
        _ listener: some Listener
    ) async throws(ImageError) -> FetchedBytes {
        let scheme = request.url.scheme?.lowercased() ?? ""
        guard configuration.schemes.contains(scheme) else {
            throw ImageError(.unsupportedScheme(scheme), url: request.url)
        }
        switch scheme {
        case "http", "https":
            return try await fetchHTTP(request, standing, permit, turn, log, listener)
        case "file":
            log.begin(.transfer)
            return try await readFile(request, permit, priority)
        case "data": return try decodeDataURL(request, permit)
        default: throw ImageError(.unsupportedScheme(scheme), url: request.url)
        }
    }

    /// The place that a request names.
    func place(of request: ImageRequest) throws(ImageError) -> ResponseStores.Place {
        if let place = stores.place(for: request.store) { return place }
        let name = request.store.group ?? ""
        let (length, limit) = (name.utf8.count, GroupFolder.nameLimit)
        throw ImageError(
            length > limit ? .groupNameTooLong(bytes: length, limit: limit) : .unknownGroup(name),
            url: request.url)
    }

    // MARK: - HTTP

    private func fetchHTTP(
        _ request: ImageRequest, _ standing: Standing, _ permit: KeepPermit,
        _ turn: AdmissionGate.Ticket, _ log: FetchLog, _ listener: some Listener
    ) async throws(ImageError) -> FetchedBytes {
        defer { turn.release() }
        let place = try place(of: request)
        log.begin(.lookUp)
        let modifiers = [configuration.networkModifier, request.networkModifier].compactMap { $0 }
        let isRefreshDue = Lock(false)
        let belongsToAnother = Lock(false)
        let network = QueuedTransport(
            base: standing.network(over: transport, challenges), turn: turn, log: log,
            origin: request.url, modifiers: modifiers)
        let cached = place.cache.transport(on: terms(of: request, in: place), over: network) {
            isRefreshDue.withLock { $0 = true }
        }
        let hops = StandingTransport(
            standing: standing, certificate: await shownCertificate(), request: request,
            belongsToAnother: belongsToAnother, cached: cached)
        let follower = RedirectFollower(over: hops, limit: configuration.maximumRedirects)
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
        guard (200..<300).contains(response.status), ![204, 205].contains(response.status) else {
            // Its ticket is not used: what is no picture is not kept, even where HTTP allows it.
            throw ImageError(.status(response.status), url: request.url, http: facts)
        }
        let part = TransportError.badResponse(
            reason: "it is a part of the content, and the whole was asked for")
        let range = ContentRange(response.headers)
        let isPartWanted = response.status != 206 || asked.headers.contains("Range")
        guard isPartWanted || range?.isWhole == true else {
            throw ImageError(.transport(part), url: request.url, http: facts)
        }
        let type = facts.headers["content-type"]
        guard configuration.contentTypes.accepts(type, allowsSVG: configuration.allowsSVG) else {
            throw ImageError(.contentType(type), url: request.url, http: facts)
        }
        do throws(TransportError) {
            if response.source == .cache { log.begin(.transfer) }
            let timeouts = request.timeouts ?? configuration.timeouts
            var fetched = try await receive(
                response, facts, place, permit, timeouts.lowestSpeed, listener)
            guard isPartWanted || fetched.data.count == range?.total else { throw part }
            if isRefreshDue.withLock({ $0 }) { fetched.refresh = request }
            if belongsToAnother.withLock({ $0 }) { fetched.isCacheable = false }
            return fetched
        } catch {
            throw ImageError(transport: error, url: request.url, http: facts)
        }
    }

    /// By what the certificate is known that the transport shows to servers who ask for one: a digest
    /// of its file as it is now; nil without one.
    func shownCertificate() async -> String? {
        guard let file = configuration.security.clientCertificate?.file else { return nil }
        let digest = try? await filePool.run {
            SHA256.hex(try FileBytes.read(file, limit: 1 << 20))
        }
        // Without it there is no connection either.
        return digest ?? "unreadable: \(file)"
    }

    /// On what terms a request uses the cache of its store.
    func terms(of request: ImageRequest, in place: ResponseStores.Place) -> HTTPCache.Terms {
        var terms = HTTPCache.Terms(policy: request.cachePolicy, partition: request.partition)
        terms.name = request.key
        terms.expiry = request.expiry
        terms.defaultExpiry = defaultExpiry(in: place.group)
        terms.storesAlways = place.group?.isOffline ?? false
        return terms
    }

    func defaultExpiry(in group: CacheGroup?) -> CacheExpiry? {
        group?.expiry ?? (group?.isOffline == true ? .never : configuration.expiry)
    }

    private var acceptHeader: String {
        accept.withLock { known in
            if let known { return known }
            let value = AcceptHeader.value(
                for: configuration.contentTypes, allowsSVG: configuration.allowsSVG)
            known = value
            return value
        }
    }

    func httpRequest(_ request: ImageRequest) -> HTTP.Request {
        var headers = HTTP.Headers()
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            headers.add(name, value)
        }
        if !headers.contains("Accept") { headers.add("Accept", acceptHeader) }
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
        _ response: HTTP.Response, _ facts: HTTPFacts, _ place: ResponseStores.Place,
        _ permit: KeepPermit, _ lowestSpeed: Int, _ listener: some Listener
    ) async throws(TransportError) -> FetchedBytes {
        let isFresh = response.redirects.allSatisfy { $0.freshUntil != nil }
        let freshUntil = isFresh ? facts.freshUntil : nil
        if response.source != .network {
            let data = try await response.body.collect(limit: configuration.maximumBytes)
            var found = FetchedBytes(
                data: data, source: response.source == .cache ? place.source : .revalidated,
                http: facts,
                freshUntil: freshUntil, receivedAt: facts.receivedAt, isCacheable: isFresh,
                place: response.place, keeping: .kept, permit: permit)
            if let discard = response.discard {
                found.wasStored = true
                found.drop = discard
            }
            return found
        }
        let total = facts.headers["content-length"].flatMap { Int($0) }
        let spool = BodySpool(directory: await stores.spoolDirectory(for: place))
        listener.began(spool)
        let ticket = place.keeps ? response.ticket : nil
        var speed = LowestSpeed(bytesPerSecond: lowestSpeed, at: time.uptime)
        do throws(TransportError) {
            for try await chunk in response.body {
                // A transport of the user's own need not keep to the request's limit.
                guard chunk.count <= max(0, configuration.maximumBytes) - spool.count else {
                    throw .bodyTooLarge(limit: configuration.maximumBytes)
                }
                try await spool.append(chunk)
                try speed.check(spool.count, at: time.uptime)
                var progress = ImageTask.Progress(received: spool.count, total: total)
                progress.resumed = min(response.heldBytes, spool.count)
                listener.advanced(progress)
                if let ticket { await Self.keep(permit) { await ticket.advance(spool) } }
            }
        } catch {
            if let ticket {
                await Self.keep(permit) { await ticket.storePart(spool, after: error) }
            }
            throw error
        }
        spool.finish()
        let data = try await spool.bytes()
        var fetched = FetchedBytes(
            data: data, source: .network, http: facts, freshUntil: freshUntil,
            receivedAt: facts.receivedAt, isCacheable: isFresh && response.ticket != nil,
            place: response.place, keeping: .notWanted, permit: permit)
        fetched.resumedBytes = response.heldBytes
        if let ticket {
            fetched.keep = { [box = fetched.outcome] in
                let outcome = await ticket.outcome(ofStoring: spool)
                box.withLock { $0 = outcome }
                return outcome.isStored
            }
        }
        fetched.wasStored = response.discard != nil
        fetched.drop = { [discard = response.discard] in
            await ticket?.discardParts()
            await discard?()
        }
        return fetched
    }

    /// Keeps a part of what has arrived, unless it was removed meanwhile.
    private static func keep(
        _ permit: KeepPermit, _ body: @Sendable () async -> Void
    ) async {
        _ = await permit.write {
            await body()
            return true
        }
    }
}

extension HTTPFacts {
    /// The coding in which the body came, in lower case; nil if it is plain.
    var contentCoding: String? {
        let coding = headers["content-encoding"]?.lowercased() ?? ""
        return coding.isEmpty || coding == "identity" ? nil : coding
    }

    init(_ response: HTTP.Response) {
        // A response is as fresh as the stalest of the hops that led to it.
        let hops = response.redirects.map(\.freshUntil) + [response.freshUntil]
        let known = hops.compactMap { $0 }
        self.init(
            finalURL: response.url, status: response.status, headers: response.headers.joined,
            freshUntil: known.count == hops.count ? known.min() : nil,
            receivedAt: response.receivedAt)
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
