extension ImageLoader {
    /// Loads many pictures, and gives each result with its request as it comes.
    ///
    /// ```swift
    /// for await picture in loader.images(for: requests) {
    ///     switch picture.result {
    ///     case .success(let response): print(picture.index, response)
    ///     case .failure(let error): print(picture.index, error)
    ///     }
    /// }
    /// let inOrder = await loader.images(for: requests).all()
    /// ```
    ///
    /// An empty list ends at once. Requests are taken from the sequence when there is room for them, by
    /// the Swift task that iterates, so that any number takes the memory of ``defaultLookAhead``; a
    /// source for which one has to wait is better an asynchronous sequence. How it ends early says
    /// ``ImageResults``.
    ///
    /// - Parameters:
    ///   - requests: What is wanted; equal ones share their work.
    ///   - order: As they come, or in the order of the requests.
    ///   - lookAhead: How many may be under way or wait to be handed out; at least 1, and nil is
    ///     ``defaultLookAhead``. It bounds the images that are held.
    public func images(
        for requests: some Sequence<ImageRequest>, order: ImageResults.Order = .arrival,
        lookAhead: Int? = nil
    ) -> ImageResults {
        ImageResults { [self] in
            let batch = batch(order, lookAhead)
            var rest = requests.makeIterator()
            return ImageResults.Iterator(batch) {
                while batch.hasRoom {
                    guard let request = rest.next() else { return batch.close() }
                    batch.begin(request)
                }
            }
        }
    }

    /// Loads the pictures at many URLs. See ``images(for:order:lookAhead:)-(Sequence<ImageRequest>,_,_)``.
    public func images(
        from urls: some Sequence<URL>, order: ImageResults.Order = .arrival, lookAhead: Int? = nil
    ) -> ImageResults {
        images(for: urls.lazy.map { ImageRequest($0) }, order: order, lookAhead: lookAhead)
    }

    /// Loads the pictures of requests that come one by one, such as the lines of standard input.
    ///
    /// Results are handed out while the next request is awaited; otherwise as with a list.
    public func images<Requests: AsyncSequence<ImageRequest, Never> & Sendable>(
        for requests: Requests, order: ImageResults.Order = .arrival, lookAhead: Int? = nil
    ) -> ImageResults {
        ImageResults { [self] in
            let batch = batch(order, lookAhead)
            let reading = Task {
                var rest = requests.makeAsyncIterator()
                while await batch.waitForRoom(), let request = await rest.next(isolation: nil) {
                    batch.begin(request)
                }
                batch.close()
            }
            return ImageResults.Iterator(batch, onEnd: { reading.cancel() })
        }
    }

    /// How many loads of a list are under way or wait to be handed out, unless it is said otherwise:
    /// twice as many as downloads may be active, so that none of those idles while one is handed out.
    public var defaultLookAhead: Int {
        let downloads = max(1, configuration.maximumActiveDownloads)
        return downloads > Int.max / 2 ? .max : 2 * downloads
    }

    private func batch(_ order: ImageResults.Order, _ lookAhead: Int?) -> ImageBatch {
        ImageBatch(self, BatchWindow(limit: lookAhead ?? defaultLookAhead, order: order))
    }
}
