import CGTK
import DeterminismSupport
import DisplaySupport
import Foundation
import Testing
import VitrineBase
import VitrineHTTP
import VitrineTesting

@testable import VitrineGTK

/// A grid of 2,000 pictures in which somebody jumps about, while they come from nowhere to late.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10))) struct RecyclingTests {
    init() throws { try TestDisplay.open() }

    /// `make recycle` asks for 100,000 and more.
    private static let checks =
        ProcessInfo.processInfo.environment["VITRINE_RECYCLING_CHECKS"].flatMap(Int.init) ?? 10_000

    @Test("V13: no row ever shows the picture of another one") func noneIsWrong() async throws {
        let grid = try Grid(isNaive: false)
        let counts = try await grid.jumpAbout(until: Self.checks)
        print("recycling: \(counts)")
        #expect(counts.wrong == 0 && counts.wrongPixels == 0)
        // Enough of them have come to be wrong; how many depends on the machine.
        #expect(counts.checks >= Self.checks && counts.right > counts.checks / 50)
        #expect(counts.pixels > 20 && counts.jumps > 5)
        #expect(await pump { grid.isGone })
    }

    @Test("V13: a loader that does not look whose row it is now is caught by the same test")
    func naive() async throws {
        let grid = try Grid(isNaive: true)
        let counts = try await grid.jumpAbout(until: 5_000)
        print("recycling, naive: \(counts)")
        #expect(counts.wrong > 0)
    }
}

/// What was found.
private struct Counts: CustomStringConvertible {
    var checks = 0
    var right = 0
    var wrong = 0
    /// Of what was drawn.
    var pixels = 0
    var wrongPixels = 0
    var jumps = 0

    var description: String {
        "\(checks) checks after \(jumps) jumps, \(right) right, \(wrong) wrong; "
            + "\(pixels) of drawn pixels, \(wrongPixels) wrong"
    }
}

/// Each picture is of one colour, which is its number.
private enum Colour {
    static func of(_ number: Int) -> Pixel {
        Pixel(red: UInt8(number >> 8), green: UInt8(number & 255), blue: 111)
    }

    static func number(_ pixel: Pixel) -> Int? {
        pixel.blue == 111 && pixel.alpha == 255 ? Int(pixel.red) << 8 | Int(pixel.green) : nil
    }
}

/// Answers after 0 to 120 ms; what has an odd number may not be kept.
private final class SlowTransport: Transport {
    private let random = Lock(SeededRandom(seed: 5))

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        let delay = random.withLock { random in Int.random(in: 0...120, using: &random) }
        do { try await Task.sleep(for: .milliseconds(delay)) } catch { throw .cancelled }
        let number = Int(request.url.lastPathComponent) ?? 0
        let picture = (try? TestPicture.solid(Colour.of(number), width: 8, height: 6)) ?? Data()
        var headers = HTTP.Headers()
        headers.add("Cache-Control", number % 2 == 0 ? "max-age=600" : "no-store")
        let rest = Lock<[Data]>([picture])
        return HTTP.Response(
            url: request.url, status: 200, headers: headers,
            body: HTTP.Body(next: { rest.withLock { $0.popLast() } }, cancel: {}))
    }
}

@MainActor private final class Grid {
    private static let count = 2_000

    private let loader: ImageLoader
    private let window: UnsafeMutablePointer<GtkWindow>
    private let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let factory: HeldObject
    private var rows: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
    private var counts = Counts()
    private var random = SeededRandom(seed: 9)
    private let isNaive: Bool
    private weak var someImage: WidgetImage?

    init(isNaive: Bool) throws {
        self.isNaive = isNaive
        var configuration = ImageLoader.Configuration()
        configuration.transport = SlowTransport()
        configuration.diskCache = .none
        // Some hundred of the 2,000 pictures.
        configuration.memoryCapacity = 4_000_000
        configuration.maximumActiveDownloads = 24
        configuration.maximumActiveDownloadsPerHost = nil
        configuration.downloadOrder = .lifo
        loader = ImageLoader(configuration)
        let items = try #require(gtk_string_list_new(nil))
        for number in 0..<Self.count { gtk_string_list_append(items, "\(number)") }
        let selection = try #require(gtk_no_selection_new(items))

        let binder = Binder()
        let size = PointSize(width: 96, height: 72)
        var options = ImageOptions()
        options.transition = .crossDissolve(.milliseconds(80))
        let images = ImageListFactory(
            size: size, loader: loader, placeholder: .icon("image-loading-symbolic"),
            options: options
        ) { row, item in
            binder.grid?.bind(row, Int(gtk_list_item_get_position(item)))
        }
        factory = HeldObject(images.pointer)
        let grid = try #require(gtk_grid_view_new(selection, images.retained))
        gtk_grid_view_set_min_columns(grid.opaque, 4)
        gtk_grid_view_set_max_columns(grid.opaque, 4)
        let scroller = try #require(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(scroller.opaque, grid)
        adjustment = try #require(gtk_scrolled_window_get_vadjustment(scroller.opaque))
        window = try #require(gtk_window_new()).cast()
        gtk_window_set_default_size(window, 480, 400)
        gtk_window_set_child(window, scroller)
        binder.grid = self
        connect(factory.pointer.cast(to: GObject.self), "unbind") { [weak self] arguments in
            guard let item = arguments.object(at: 1),
                let row = gtk_list_item_get_child(item)
            else { return }
            self?.rows[row] = nil
        }
    }

    var isGone: Bool { someImage == nil }

    /// Who binds rows, once it is made.
    @MainActor private final class Binder {
        weak var grid: Grid?
    }

    private func bind(_ row: UnsafeMutablePointer<GtkWidget>, _ number: Int) -> ImageRequest? {
        rows[row] = number
        guard let url = URL(string: "https://pictures.example/\(number)") else { return nil }
        let request = ImageRequest(url)
        if !isNaive { return request }
        gtk_picture_set_paintable(row.opaque, nil)
        let weak = WeakWidget(row)
        Task { @MainActor [loader] in
            guard let image = try? await loader.image(for: request),
                let texture = ImageTexture.shared(for: image)
            else { return }
            // The mistake: the row may be another one's by now.
            weak.with { gtk_picture_set_paintable($0.opaque, texture.pointer) }
        }
        return nil
    }

    /// Jumps and scrolls until so much was looked at, and takes the window down.
    func jumpAbout(until wanted: Int) async throws -> Counts {
        gtk_window_present(window)
        let clock = try #require(gtk_widget_get_frame_clock(window.cast()))
        let watch = SignalWatch(HeldObject(clock), "after-paint") { [weak self] in self?.check() }
        var next = ContinuousClock.now
        #expect(
            await pump(within: 500) {
                if next <= .now {
                    next = .now + .milliseconds(Int.random(in: 20...250, using: &random))
                    jump()
                }
                gtk_widget_queue_draw(window.cast())
                return counts.checks >= wanted
            })
        withExtendedLifetime(watch) {}
        someImage = rows.keys.first.flatMap {
            WidgetImages.existing(of: $0)?.image(named: "picture")
        }
        gtk_window_destroy(window)
        return counts
    }

    private func jump() {
        counts.jumps += 1
        let last = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        let value = gtk_adjustment_get_value(adjustment)
        let isNear = Bool.random(using: &random)
        let target =
            isNear
            ? value + Double.random(in: -600...600, using: &random)
            : Double.random(in: 0...max(last, 1), using: &random)
        gtk_adjustment_set_value(adjustment, min(max(target, 0), max(last, 0)))
    }

    /// Every bound row shows its own picture or none.
    private func check() {
        for (row, number) in rows {
            counts.checks += 1
            guard let shown = shown(row) else { continue }
            if shown == number { counts.right += 1 } else { counts.wrong += 1 }
        }
        guard Int.random(in: 0..<8, using: &random) == 0 else { return }
        for (row, number) in rows
        where gtk_widget_get_mapped(row) != 0 && row.vitrine.paintable()?.isMoving != true {
            guard let drawn = WidgetPixels(row).flatMap({ Colour.number($0.middle) }) else {
                continue
            }
            counts.pixels += 1
            if drawn != number { counts.wrongPixels += 1 }
        }
    }

    /// Whose picture the row has, by its pixels; nil if it has none.
    private func shown(_ row: UnsafeMutablePointer<GtkWidget>) -> Int? {
        guard let paintable = gtk_picture_get_paintable(row.opaque) else { return nil }
        if let image = ImagePaintable(paintable)?.content.image {
            return image.posterFrame.withUnsafeBytes {
                Colour.number(Pixel(red: $0[0], green: $0[1], blue: $0[2], alpha: $0[3]))
            }
        }
        guard isNaive, isInstance(paintable.cast(to: GObject.self), of: gdk_texture_get_type())
        else { return nil }
        let width = Int(gdk_texture_get_width(paintable))
        var bytes = [UInt8](repeating: 0, count: width * Int(gdk_texture_get_height(paintable)) * 4)
        gdk_texture_download(paintable, &bytes, gsize(width * 4))
        return Colour.number(Pixel(red: bytes[2], green: bytes[1], blue: bytes[0], alpha: bytes[3]))
    }
}
