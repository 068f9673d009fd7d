import VitrineBase

/// Stops a decode from another thread.
///
/// ```swift
/// let cancellation = DecodeCancellation()
/// let image = try await withTaskCancellationHandler {
///     try await onThread { try RasterImage(decoding: data, cancellation: cancellation) }
/// } onCancel: {
///     cancellation.cancel()
/// }
/// ```
///
/// The decode throws ``ImagingError/cancelled`` as soon as its codec allows: within a few rows of PNG,
/// JPEG, GIF, WebP, TIFF, BMP and XBM; at the end of a frame of AVIF, HEIC, JPEG XL and JPEG 2000, whose
/// codecs make all of it in one go; before the next step (resizing, colours, a filter) everywhere. One
/// value may serve several decodes one after the other, or at the same time.
public final class DecodeCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var stops: [Int: @Sendable () -> Void] = [:]
        var lastStop = 0
    }
    private let state = Lock(State())

    /// One that has not been cancelled.
    public init() {}

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the decodes that use it now, and those that will. Never blocks; a second time does nothing.
    public func cancel() {
        let stops = state.withLock { state in
            state.isCancelled = true
            defer { state.stops = [:] }
            return state.stops.values
        }
        for stop in stops { stop() }
    }

    /// What a decoder calls for each row that it makes: some 20 nanoseconds.
    ///
    /// - Throws: ``ImagingError/cancelled`` if ``cancel()`` was called.
    @inlinable
    public func check() throws(ImagingError) {
        if isCancelled { throw .cancelled }
    }

    /// Does `body`, which somebody else's code makes long; when this is cancelled meanwhile, or was
    /// before, `stop` tells that code to end, on the thread that cancels.
    func stopping<R, Failure: Error>(
        by stop: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.lastStop += 1
            state.stops[state.lastStop] = stop
            return state.lastStop
        }
        defer { if let number { state.withLock { $0.stops[number] = nil } } }
        if number == nil { stop() }
        return try body()
    }
}
