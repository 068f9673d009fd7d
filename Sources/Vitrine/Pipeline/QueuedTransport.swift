import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// A transport whose exchanges wait for the load's turn to download, the first time that it needs the
/// network; it then has its turn over all redirects, until the ticket is released. What is sent passes
/// through the modifiers, as long as it goes to the origin that the caller named.
struct QueuedTransport: Transport {
    let base: any Transport
    let turn: AdmissionGate.Ticket
    let log: FetchLog
    let origin: URL
    let modifiers: [ImageRequest.NetworkModifier]

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        log.needsNetwork()
        do throws(CancellationError) { try await turn.take() } catch {
            log.ended(ImageError(.cancelled, url: origin))
            throw .cancelled
        }
        log.hasTurn()
        if Task.isCancelled { throw .cancelled }
        let request = try await modified(request)
        log.sends()
        return try await base.exchange(request)
    }

    private func modified(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Request {
        guard !modifiers.isEmpty, request.url.hasSameOrigin(as: origin) else { return request }
        log.begin(.modifier)
        var outgoing = ImageRequest.OutgoingRequest(
            url: request.url, body: request.body, method: request.method.rawValue,
            fields: request.headers)
        do {
            for modifier in modifiers { try await modifier(&outgoing) }
        } catch {
            let why = "\(error)"
            guard !Task.isCancelled, !(error is CancellationError) else { throw .cancelled }
            log.refuse(ImageError(.modifier(why), url: origin))
            throw .invalidRequest(reason: why)
        }
        if Task.isCancelled { throw .cancelled }
        log.end()
        var request = request
        request.url = outgoing.url
        request.body = outgoing.body
        request.headers = outgoing.fields
        return request
    }
}

extension URL {
    /// Whether both are of the same scheme, host and port.
    fileprivate func hasSameOrigin(as other: URL) -> Bool {
        func parts(_ url: URL) -> [String?] {
            let scheme = url.scheme?.lowercased()
            let port = url.port ?? (scheme == "https" ? 443 : 80)
            return [scheme, url.host()?.lowercased(), String(port)]
        }
        return parts(self) == parts(other)
    }
}

extension AdmissionOrder {
    init(_ order: ImageLoader.Configuration.DownloadOrder) {
        switch order {
        case .fifo: self = .firstInFirstOut
        case .lifo: self = .lastInFirstOut
        }
    }
}
