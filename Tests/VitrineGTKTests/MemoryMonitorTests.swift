import CGTK
import DisplaySupport
import Testing
import Vitrine
import VitrineBase
import VitrineStorage
import VitrineTesting

@testable import VitrineGTK

/// What the desktop says about memory.
@MainActor @Suite(.serialized) struct MemoryMonitorTests {
    /// Has GLib's monitor say that memory is short.
    private func warn(_ level: GMemoryMonitorWarningLevel) throws {
        let source = try #require(g_memory_monitor_dup_default())
        defer { g_object_unref(source.cast(to: GObject.self)) }
        var arguments = [cgtk_value(), cgtk_value()]
        defer { for index in arguments.indices { g_value_unset(&arguments[index]) } }
        g_value_init(&arguments[0], g_memory_monitor_get_type())
        g_value_set_object(&arguments[0], source.cast(to: GObject.self))
        g_value_init(&arguments[1], g_memory_monitor_warning_level_get_type())
        g_value_set_enum(&arguments[1], Int32(level.rawValue))
        g_signal_emitv(
            &arguments, g_signal_lookup("low-memory-warning", g_memory_monitor_get_type()), 0, nil)
    }

    @Test("C2: GLib's levels become ours, until nobody listens")
    func levels() throws {
        let monitor = MemoryPressure.Monitor(files: { .init(stalls: [], group: nil) })
        let heard = Lock<[MemoryPressure.Level]>([])
        let subscription = monitor.subscribe { level in heard.withLock { $0.append(level) } }
        var link = MemoryMonitorLink(telling: monitor)
        #expect(link != nil)
        try warn(G_MEMORY_MONITOR_WARNING_LEVEL_LOW)
        try warn(G_MEMORY_MONITOR_WARNING_LEVEL_MEDIUM)
        try warn(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL)
        #expect(heard.withLock { $0 } == [.warning, .warning, .critical])
        link = nil
        try warn(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL)
        #expect(heard.withLock { $0.count } == 3)
        withExtendedLifetime((subscription, link)) {}
    }

    @Test("C2: a loader's images go when the desktop is about to kill programs")
    func loader() async throws {
        let url = try #require(URL(string: "https://picture.example/a.png"))
        let transport = ScriptedTransport()
        transport.answer(
            url,
            with: .bytes(
                try TestPicture.gradient(width: 40, height: 20),
                headers: ["Cache-Control": "max-age=60"]))
        let loader = ImageLoader.scripted(transport)
        let request = ImageRequest(url)
        _ = try await loader.image(from: url)
        #expect(loader.imageCache.count == 1)

        MemoryMonitor.start()
        MemoryMonitor.start()
        #expect(MemoryMonitor.isRunning)
        try warn(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL)
        #expect(loader.imageCache.count == 0)
        // The load may hold its image a moment longer, and what is alive is found, and kept again.
        let isGone = await pump {
            try? warn(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL)
            return loader.cachedImage(for: request) == nil
        }
        #expect(isGone && loader.imageCache.count == 0)

        MemoryMonitor.stop()
        #expect(!MemoryMonitor.isRunning)
    }
}
