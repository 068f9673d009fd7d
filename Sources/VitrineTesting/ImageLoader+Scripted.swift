import Vitrine

extension ImageLoader {
    /// A loader that asks a scripted transport, goes by its clock, and keeps nothing on disk.
    ///
    /// Everything else is real: sharing, order, HTTP's rules for caches, decoding, filters, memory.
    ///
    /// - Parameter change: Changes the configuration; the transport is set afterwards.
    public static func scripted(
        _ transport: ScriptedTransport, _ change: (inout Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        var configuration = Configuration()
        configuration.diskCache = .none
        change(&configuration)
        configuration.transport = transport
        return ImageLoader(configuration, time: transport.clock.source)
    }
}
