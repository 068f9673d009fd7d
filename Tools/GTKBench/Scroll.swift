import CGTK
import Foundation
import Vitrine
import VitrineGTK

/// A window with a grid of thumbnails, which is scrolled at a steady speed while each frame is timed.
@MainActor final class Scroll {
    /// What was seen while it was scrolled.
    struct Frames {
        /// Milliseconds from `before-paint` to `after-paint`: all that GTK does for a frame.
        var work: [Double] = []
        /// Milliseconds of that from `paint` to `after-paint`.
        var painting: [Double] = []
        /// Milliseconds of processor that GTK's thread had for that, whatever else the machine did.
        var processor: [Double] = []
        /// Seconds at which frames were done.
        var ends: [Double] = []
        /// How many places were seen, and how many of them without picture.
        var seen = 0
        var empty = 0
        /// How many showed one that had been in memory when they asked.
        var fromMemory = 0
        /// How far it went, in pixels.
        var distance = 0.0

        var count: Int { work.count }

        var rate: Double {
            guard let first = ends.first, let last = ends.last, last > first else { return .nan }
            return Double(ends.count - 1) / (last - first)
        }

        /// Frames more than 33 ms after the one before.
        var late: Int { zip(ends, ends.dropFirst()).count { $1 - $0 > 0.033 } }

        var emptyShare: Double { seen == 0 ? .nan : Double(empty) / Double(seen) }

        var memoryShare: Double { seen == 0 ? .nan : Double(fromMemory) / Double(seen) }
    }

    static let pixelsPerSecond = 2_400.0

    private let window: UnsafeMutablePointer<GtkWidget>
    private let scrolled: UnsafeMutablePointer<GtkWidget>
    private let factory: ImageListFactory
    private let places = Places()
    private var frames = Frames()

    init(urls: [URL], loader: ImageLoader) throws {
        let side = Double(BenchPictures.side)
        factory = ImageListFactory(
            size: PointSize(width: side, height: side), loader: loader,
            placeholder: .icon("image-x-generic-symbolic"), makeRow: places.make
        ) { _, item in
            ImageRequest(urls[Int(gtk_list_item_get_position(item)) % urls.count])
        }
        guard let window = gtk_window_new(), let scrolled = gtk_scrolled_window_new(),
            let model = gtk_string_list_new(nil),
            let grid = gtk_grid_view_new(gtk_no_selection_new(model), factory.retained)
        else { throw BenchFailure("GTK has no widgets.") }
        self.window = window
        self.scrolled = scrolled
        for url in urls { gtk_string_list_append(model, url.absoluteString) }
        gtk_grid_view_set_min_columns(OpaquePointer(grid), 3)
        gtk_grid_view_set_max_columns(OpaquePointer(grid), 3)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(top, 0)
        gtk_window_set_default_size(top, 820, 800)
        gtk_window_set_child(top, scrolled)
        gtk_window_present(top)
    }

    func close() {
        gtk_window_destroy(
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self))
    }

    /// Scrolls for so many seconds, after the first rows have come to rest.
    func run(seconds: Double) async throws -> Frames {
        try await Task.sleep(for: .seconds(1))
        guard let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)) else {
            throw BenchFailure("The grid cannot be scrolled.")
        }
        let height = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        guard height > Self.pixelsPerSecond else {
            throw BenchFailure("The grid is only \(Int(height)) pixels high.")
        }
        let watch = try FrameClockWatch(of: scrolled)
        var frameStart = 0.0
        var paintStart = 0.0
        var processorStart = 0.0
        var last = 0.0
        let start = now()
        watch.on("before-paint") {
            frameStart = now()
            processorStart = threadTime()
        }
        watch.on("update") {
            let distance = (now() - start) * Self.pixelsPerSecond
            gtk_adjustment_set_value(
                adjustment, distance.truncatingRemainder(dividingBy: height))
            let place = gtk_adjustment_get_value(adjustment)
            self.frames.distance += max(place - last, 0)
            last = place
        }
        watch.on("paint") { paintStart = now() }
        watch.on("after-paint") {
            let end = now()
            // The first one may have begun before anybody looked.
            guard frameStart > 0, paintStart >= frameStart else { return }
            self.frames.work.append((end - frameStart) * 1000)
            self.frames.painting.append((end - paintStart) * 1000)
            self.frames.processor.append((threadTime() - processorStart) * 1000)
            self.frames.ends.append(end)
            self.places.look(&self.frames)
        }
        watch.keepRunning(true)
        try await Task.sleep(for: .seconds(seconds))
        watch.keepRunning(false)
        watch.end()
        guard frames.distance > seconds * Self.pixelsPerSecond * 0.8 else {
            throw BenchFailure("The grid was scrolled by \(Int(frames.distance)) pixels only.")
        }
        return frames
    }
}

/// The pictures of a grid, to see which of them are there.
@MainActor private final class Places {
    private var pictures: [UnsafeMutablePointer<GtkWidget>] = []

    func make() -> (row: UnsafeMutablePointer<GtkWidget>, picture: UnsafeMutablePointer<GtkWidget>)
    {
        guard let picture = gtk_picture_new() else { GTKBench.fail("GTK has no picture.") }
        gtk_widget_set_size_request(
            picture, Int32(BenchPictures.side), Int32(BenchPictures.side))
        // The grid makes its cells wider; the picture keeps the size that was loaded.
        gtk_widget_set_halign(picture, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
        // Kept for the length of the program, so that whatever GTK drops can be asked.
        g_object_ref_sink(picture)
        pictures.append(picture)
        return (picture, picture)
    }

    /// Counts what is on screen.
    func look(_ frames: inout Scroll.Frames) {
        for picture in pictures where gtk_widget_get_mapped(picture) != 0 {
            frames.seen += 1
            if picture.vitrine.paintable()?.content.image == nil { frames.empty += 1 }
            if picture.vitrine.response()?.source == .memory { frames.fromMemory += 1 }
        }
    }
}
