/// The results of many loads, each with its request: what ``ImageLoader``'s `images(for:)`
/// gives.
///
/// A load that fails is an element too, so that one never ends the others. Every iteration loads anew.
/// Ending it early, by leaving the loop or by dropping the iterator, cancels what was begun for it and
/// begins nothing more: nobody else has a claim on those loads. (A load that others asked for as well
/// goes on for them.) When the Swift task that iterates is cancelled, no more requests are taken, and
/// those that were begun end with `cancelled`: each request that was taken gives one element in any
/// case.
public struct ImageResults: AsyncSequence {
    /// In which order results are handed out.
    public enum Order: Sendable, Hashable {
        /// As they come.
        case arrival
        /// In the order of the requests; a slow one holds up those behind it.
        case request
    }

    /// How one of the loads has ended.
    public struct Element: Sendable {
        /// The request's place among the requests, counted from 0.
        public let index: Int
        /// What was asked for.
        public let request: ImageRequest
        /// The response, or why there is none.
        public let result: Result<ImageResponse, ImageError>

        /// The image.
        ///
        /// - Throws: the ``ImageError`` with which the load ended.
        public var image: RasterImage {
            get throws(ImageError) { try result.get().image }
        }
    }

    /// None: a failed load is an element too.
    public typealias Failure = Never

    private let begin: () -> Iterator

    init(_ begin: @escaping () -> Iterator) { self.begin = begin }

    /// Waits for all of them, and returns them in the order of the requests.
    ///
    /// Holds every image at once: for very many, iterate. It returns fewer than there are requests only
    /// if the Swift task is cancelled.
    public func all() async -> [Element] {
        var elements: [Element] = []
        for await element in self { elements.append(element) }
        return elements.sorted { $0.index < $1.index }
    }

    /// Begins to load.
    public func makeAsyncIterator() -> Iterator { begin() }

    /// Hands the results out.
    public final class Iterator: AsyncIteratorProtocol {
        private let batch: ImageBatch
        private let beginMore: () -> Void
        private let onEnd: () -> Void

        /// `beginMore` is called before each result is awaited, `onEnd` when the iteration has ended.
        init(
            _ batch: ImageBatch, beginMore: @escaping () -> Void = {},
            onEnd: @escaping () -> Void = {}
        ) {
            self.batch = batch
            self.beginMore = beginMore
            self.onEnd = onEnd
        }

        deinit {
            batch.cancel()
            onEnd()
        }

        /// The next result; see ``next(isolation:)``.
        public func next() async -> Element? { await next(isolation: #isolation) }

        /// The next result; nil when each request that was taken has given one, and no more come.
        public func next(isolation actor: isolated (any Actor)?) async -> Element? {
            beginMore()
            return await batch.next()
        }
    }
}
