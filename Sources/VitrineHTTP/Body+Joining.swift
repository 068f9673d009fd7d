import FoundationEssentials
import VitrineBase

extension HTTP.Body {
    /// Bytes that are there already and a body that arrives, as one of `total` bytes.
    ///
    /// If more or fewer arrive, reading ends with an error.
    static func joining(
        _ bytes: Data, _ rest: HTTP.Body, isFirst: Bool, expecting total: Int
    ) -> HTTP.Body {
        struct Progress {
            var isBytesDue: Bool
            var count = 0
        }
        let progress = Lock(Progress(isBytesDue: isFirst))
        return HTTP.Body(next: { () async throws(TransportError) -> Data? in
            let due = progress.withLock { progress in
                defer { progress.isBytesDue = false }
                return progress.isBytesDue
            }
            if due, !bytes.isEmpty {
                progress.withLock { $0.count += bytes.count }
                return bytes
            }
            var iterator = rest.makeAsyncIterator()
            if let chunk = try await iterator.next() {
                let count = progress.withLock { progress in
                    progress.count += chunk.count
                    return progress.count
                }
                let limit = isFirst ? total : total - bytes.count
                guard count <= limit else {
                    throw .badResponse(reason: "more bytes came than its Content-Range says")
                }
                return chunk
            }
            let count = progress.withLock { $0.count }
            if !isFirst, count == total - bytes.count, !bytes.isEmpty {
                progress.withLock { $0.count += bytes.count }
                return bytes
            }
            guard count == total else { throw .truncated(received: count, expected: total) }
            return nil
        })
    }

    /// The beginning of a body and the rest of it that arrives, as one of `total` bytes.
    ///
    /// If more or fewer arrive, reading ends with an error.
    static func continuing(
        _ start: BodySpool, with rest: HTTP.Body, expecting total: Int
    ) -> HTTP.Body {
        let held = start.count
        let beginning = Lock<HTTP.Body?>(start.reader())
        let count = Lock(held)
        return HTTP.Body(next: { () async throws(TransportError) -> Data? in
            if let first = beginning.withLock({ $0 }) {
                var iterator = first.makeAsyncIterator()
                if let chunk = try await iterator.next() { return chunk }
                beginning.withLock { $0 = nil }
            }
            var iterator = rest.makeAsyncIterator()
            guard let chunk = try await iterator.next() else {
                let received = count.withLock { $0 }
                guard received == total else {
                    throw .truncated(received: received, expected: total)
                }
                return nil
            }
            let received = count.withLock { count in
                count += chunk.count
                return count
            }
            guard received <= total else {
                throw .badResponse(reason: "more bytes came than its Content-Range says")
            }
            return chunk
        })
    }
}
