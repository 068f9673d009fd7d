import FoundationEssentials

extension HTTP.Response {
    /// The longest body that is read although nobody wants it.
    private static let drainLimit = 64 << 10
    /// How long that may take; then a new connection costs less.
    private static let drainTime = Duration.seconds(1)

    /// Reads a short body, so that its connection can be used again, and hands it to the cache if
    /// that wants it. A long or slow one is dropped with its connection.
    ///
    /// - Throws: ``TransportError/cancelled`` if the task was cancelled, nothing else.
    func drain() async throws(TransportError) {
        let length = headers["Content-Length"].flatMap { Int($0) }
        let isShort = length.map { $0 <= Self.drainLimit } ?? (ticket != nil)
        guard isShort else { return }
        let bytes: Data
        do throws(TransportError) {
            bytes = try await collect()
        } catch {
            // What follows does not need it; only the caller's own wish ends the journey.
            if Task.isCancelled { throw .cancelled }
            return
        }
        await ticket?.store(BodySpool(bytes))
    }

    private func collect() async throws(TransportError) -> Data {
        let body = body
        let result = await withTaskGroup(of: Result<Data, TransportError>.self) { group in
            group.addTask {
                do throws(TransportError) {
                    return .success(try await body.collect(limit: Self.drainLimit))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.drainTime)
                return .failure(.timeout(phase: .total, after: Self.drainTime))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        return try result.get()
    }

    /// Reads a body of any length and hands it to the cache, if that wants it.
    func store() async throws(TransportError) {
        guard let ticket else { return }
        let spool = BodySpool()
        do throws(TransportError) {
            for try await chunk in body {
                try await spool.append(chunk)
                await ticket.advance(spool)
            }
        } catch {
            await ticket.storePart(spool, after: error)
            throw error
        }
        spool.finish()
        await ticket.store(spool)
    }
}
