import VitrineBase
import VitrineHTTP

/// A transport whose exchanges wait for the load's turn to download, the first time that it needs the
/// network; it then has its turn over all redirects, until the ticket is released.
struct QueuedTransport: Transport {
    let base: any Transport
    let turn: AdmissionGate.Ticket

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        do throws(CancellationError) { try await turn.take() } catch { throw .cancelled }
        if Task.isCancelled { throw .cancelled }
        return try await base.exchange(request)
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
