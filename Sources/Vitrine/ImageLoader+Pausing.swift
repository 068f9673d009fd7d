extension ImageLoader {
    /// Holds downloads back: those that run go on, and no other starts until ``resume()``.
    ///
    /// What is answered from memory, disk, a file or a `data:` URL goes on, and so do decoding and
    /// filters. Loads may be started, cancelled and awaited as ever. Pauses are not counted: one
    /// ``resume()`` ends them all.
    public func pause() { engine.downloadGate.pause() }

    /// Lets the downloads go that wait, by priority and in their order.
    public func resume() { engine.downloadGate.resume() }

    /// Whether downloads are held back.
    public var isPaused: Bool { engine.downloadGate.isPaused }

    /// Cancels all loads of this loader, those of its prefetchers and its refreshes in the background
    /// too: each task ends with `cancelled` at once, and what was under way for them stops.
    ///
    /// Loads that start afterwards are not concerned, and a pause stays.
    public func cancelAll() { engine.cancelAll() }
}
