extension ImageLoader {
    /// What a callback is given at the end.
    public typealias Completion = @Sendable (Result<ImageResponse, ImageError>) -> Void

    /// Starts a load, and calls `completion` with its end: exactly once, on the main actor.
    ///
    /// ```swift
    /// loader.load(request) { result in
    ///     if let image = try? result.get().image { show(image) }
    /// }
    /// ```
    ///
    /// A fresh image in memory is handed over within this call, if it is made on the main thread;
    /// everything else comes after it has returned. Dropping the task cancels nothing;
    /// ``ImageTask/cancel()`` does, and then `completion` is called with `cancelled`.
    ///
    /// - Parameters:
    ///   - progress: Called with the newest progress, never with a backlog, and not after `completion`.
    ///   - completion: Called with the response, or with the ``ImageError``.
    /// - Returns: The caller's claim on the load.
    @discardableResult
    public func load(
        _ request: ImageRequest, progress: (@MainActor (ImageTask.Progress) -> Void)? = nil,
        completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        load(request, deliveringOn: .main) { event in
            MainActor.assumeIsolated {
                switch event {
                case .progress(let value): progress?(value)
                case .preview: break
                case .finished(let end): completion(end)
                }
            }
        }
    }

    /// Starts a load, and calls `completion` with its end: exactly once, where `delivery` says.
    ///
    /// See ``load(_:progress:completion:)``. A fresh image in memory is handed over within this call, if
    /// the delivery says that it is made there.
    @discardableResult
    public func load(
        _ request: ImageRequest, deliveringOn delivery: Delivery,
        progress: (@Sendable (ImageTask.Progress) -> Void)? = nil, completion: @escaping Completion
    ) -> ImageTask {
        load(request, deliveringOn: delivery) { event in
            switch event {
            case .progress(let value): progress?(value)
            case .preview: break
            case .finished(let end): completion(end)
            }
        }
    }

    private func load(
        _ request: ImageRequest, deliveringOn delivery: Delivery,
        _ handOver: @escaping @Sendable (ImageTask.Event) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        TaskCourier.carry(task, on: delivery, handOver)
        return task
    }
}
