public import Vitrine

extension Delivery {
    /// GLib's default main context, as GTK runs it on the main thread: results arrive whether or not
    /// ``MainLoop/attach(priority:)`` was called.
    ///
    /// ```swift
    /// loader.load(request, deliveringOn: .mainLoop) { result in … }
    /// let picture = RemoteImage(request, delivery: .mainLoop)
    /// ```
    ///
    /// What it runs is on the main actor. A caller on the main thread is there already, so that a fresh
    /// image in memory is handed over within the call; nothing else is. Drawing goes first, as with
    /// ``MainLoop/defaultPriority``.
    public static let mainLoop = Delivery(
        isCurrent: { Delivery.main.isHere },
        enqueue: { work in onMainLoop { work() } })
}
