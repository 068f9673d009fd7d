import CGTK
import Dispatch
import VitrineGTK

/// A stream of jobs beside a window that draws: `redraw PRIORITY`. Prints how many frames there were, at
/// most 30, and how many jobs of 1 ms, at most 3,000.
@MainActor func redrawing(_ words: [String]) {
    attach(priority: words.first.flatMap { Int32($0) } ?? MainLoop.defaultPriority)
    guard gtk_init_check() != 0, let window = gtk_window_new() else {
        return Findings.expect(false, "there is a display")
    }
    gtk_widget_add_tick_callback(
        window,
        { widget, _, _ in
            MainActor.assumeIsolated { Stream.frames += 1 }
            gtk_widget_queue_draw(widget)
            return 1
        }, nil, nil)
    gtk_window_present(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self))
    let loop = HostLoop()
    startWhenDrawn(loop)
    loop.run()
    // On a slow machine a frame or two may have come in between.
    Findings.say("frames \(min(Stream.frames, 30)) jobs \(Stream.jobs)")
}

@MainActor private enum Stream {
    static var frames = 0
    static var jobs = 0
}

@MainActor private func startWhenDrawn(_ loop: HostLoop) {
    after(milliseconds: 20) {
        guard Stream.frames > 2 else { return startWhenDrawn(loop) }
        Stream.frames = 0
        next(loop)
    }
}

@MainActor private func next(_ loop: HostLoop) {
    if Stream.frames >= 30 || Stream.jobs >= 3000 { return loop.quit() }
    Stream.jobs += 1
    let end = g_get_monotonic_time() + 1000
    while g_get_monotonic_time() < end {}
    DispatchQueue.main.async { MainActor.assumeIsolated { next(loop) } }
}
