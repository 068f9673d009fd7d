public import FoundationEssentials
import VitrineBase

extension HTTP {
    /// The content of a response, in chunks, as it arrives.
    ///
    /// For one reader: each chunk is handed out once. Dropping a body that was not read to its end
    /// cancels the transfer. After the end, or an error, there are no more chunks.
    public struct Body: AsyncSequence, Sendable {
        /// A chunk.
        public typealias Element = Data
        /// Why the content did not come.
        public typealias Failure = TransportError

        private let source: Source

        /// A body that asks `next` for each chunk until that returns nil or throws.
        ///
        /// `cancel` is called once if the body is dropped before that.
        public init(
            next: @escaping @Sendable () async throws(TransportError) -> Data?,
            cancel: @escaping @Sendable () -> Void = {}
        ) {
            source = Source(next: next, cancel: cancel)
        }

        /// A reader of a spool, from its start.
        public init(_ spool: BodySpool) { self = spool.reader() }

        /// A body that is there already.
        public static func bytes(_ data: Data) -> Body {
            let rest = Lock<Data?>(data.isEmpty ? nil : data)
            return Body(next: {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            })
        }

        /// Reads to the end and returns all of it.
        ///
        /// - Throws: ``TransportError/bodyTooLarge(limit:)`` as soon as there are more than `limit`
        ///   bytes, which ends the transfer; whatever the transfer throws.
        public func collect(limit: Int) async throws(TransportError) -> Data {
            var all = Data()
            while let chunk = try await source.next() {
                guard chunk.count <= Swift.max(0, limit) - all.count else {
                    source.abandon()
                    throw .bodyTooLarge(limit: limit)
                }
                if all.isEmpty { all = chunk } else { all.append(chunk) }
            }
            return all
        }

        /// The one reader of the body.
        public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

        /// Hands out the chunks of a body.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let source: Source

            public mutating func next() async throws(TransportError) -> Data? {
                try await source.next()
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(TransportError) -> Data? {
                try await source.next()
            }
        }

        /// Lives as long as the body or an iterator of it, so that its end is theirs.
        fileprivate final class Source: Sendable {
            private struct Calls: Sendable {
                let next: @Sendable () async throws(TransportError) -> Data?
                let cancel: @Sendable () -> Void
            }
            private let calls: Lock<Calls?>

            init(
                next: @escaping @Sendable () async throws(TransportError) -> Data?,
                cancel: @escaping @Sendable () -> Void
            ) {
                calls = Lock(Calls(next: next, cancel: cancel))
            }

            deinit { abandon() }

            /// Ends it early.
            func abandon() { take()?.cancel() }

            func next() async throws(TransportError) -> Data? {
                while let calls = calls.withLock({ $0 }) {
                    do throws(TransportError) {
                        guard let chunk = try await calls.next() else { break }
                        if !chunk.isEmpty { return chunk }
                    } catch {
                        _ = take()
                        throw error
                    }
                }
                _ = take()
                return nil
            }

            /// The calls are released by whoever gets them, outside the lock.
            private func take() -> Calls? {
                calls.withLock { calls in
                    defer { calls = nil }
                    return calls
                }
            }
        }
    }
}
