import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineGTK
import VitrineTesting

/// What users of AlamofireImage rely on in image views and buttons, in each place that a picture may have;
/// each test names its row, and what other tests have is left out.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct AlamofireImageViewBehaviourTests {
    private let wall: Wall
    private let ends = Ends()

    init() throws { wall = try Wall() }

    /// What completions were called with, a word each.
    @MainActor private final class Ends {
        var words: [String] = []

        func note(_ result: Result<ImageResponse, SetImageError>) {
            switch result {
            case .success(let response): words.append(response.source.rawValue)
            case .failure(let error): words.append(error.isCancelled ? "cancelled" : "failed")
            }
        }
    }

    /// A widget's place for a picture.
    enum Place: CaseIterable {
        case picture, buttonPicture, buttonBackground

        @MainActor var slot: ImageSlot { self == .buttonBackground ? .background : .picture }

        @MainActor func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
            self == .picture ? gtk_picture_new() : gtk_button_new()
        }
    }

    /// A widget with the place, and how it is told what to show there.
    @MainActor private struct Hung {
        let widget: UnsafeMutablePointer<GtkWidget>
        let place: Place
        let ends: Ends
        var options = ImageOptions()

        func set(
            _ url: URL?, key: String? = nil, _ filters: [any ImageFilter] = [],
            transition: ImageTransition? = nil
        ) {
            widget.vitrine.setImage(
                from: url, key: key, slot: place.slot, placeholder: .icon("image-loading-symbolic"),
                filters: filters, transition: transition, options: options, completion: ends.note)
        }

        func set(_ request: ImageRequest) {
            widget.vitrine.setImage(
                from: request, slot: place.slot, options: options, completion: ends.note)
        }

        func cancel() { widget.vitrine.cancelImageLoad(in: place.slot) }

        var content: ImageContent? { widget.vitrine.paintable(in: place.slot)?.content }
        var width: Int? { content?.image?.pixelSize.width }
        var isWaiting: Bool { content?.isEmpty == false && content?.image == nil }
        var isMoving: Bool { widget.vitrine.paintable(in: place.slot)?.isMoving == true }
    }

    private func hang(_ place: Place, _ loader: ImageLoader? = nil) throws -> Hung {
        let widget = try wall.hang(place.makeWidget())
        var hung = Hung(widget: widget, place: place, ends: ends)
        hung.options.decodesAtShownSize = false
        if let loader { hung.options.loader = loader }
        return hung
    }

    /// The same, in a window that is seen.
    private func show(
        _ place: Place, _ loader: ImageLoader? = nil
    ) async throws -> (Hung, UnsafeMutablePointer<GtkWindow>) {
        let hung = try hang(place, loader)
        return (hung, try await wall.window(with: hung.widget))
    }

    @Test(
        "V4, V5, A-41: what is in memory is there when the call returns, and cancelling leaves it",
        arguments: Place.allCases)
    func memory(_ place: Place) async throws {
        let url = try wall.serve("a")
        _ = try await wall.loader.image(from: url, filters: .circle)
        _ = try await wall.loader.image(from: url)
        let (view, window) = try await show(place)
        view.set(url, transition: .crossDissolve(.seconds(20)))
        #expect(ends.words == ["memory"] && view.width == 24 && !view.isMoving)
        view.cancel()
        #expect(view.width == 24 && ends.words.count == 1)
        view.set(url, [.circle])
        #expect(ends.words == ["memory", "memory"] && view.width == 16, "the filter's")
        #expect(wall.transport.requests.count == 1)
        gtk_window_destroy(window)
    }

    @Test(
        "V2, V5, A-43: the placeholder until the picture is there, and where nothing can be asked for",
        arguments: Place.allCases)
    func placeholder(_ place: Place) async throws {
        let gate = Gate()
        let url = try wall.serve("a", heldBy: gate)
        let (view, window) = try await show(place)
        view.set(url)
        #expect(await pump { view.isWaiting })
        #expect(ends.words.isEmpty)
        gate.open()
        #expect(await pump { ends.words == ["network"] })
        #expect(view.width == 24)
        let unknown: URL = try #require(URL(string: "gopher://pictures.example/a"))
        view.set(unknown)
        #expect(await pump { ends.words == ["network", "failed"] })
        #expect(view.isWaiting)
        gtk_window_destroy(window)
    }

    @Test(
        "V1, V5, C9, A-38: filtered, under a key, behind a redirect, at the scale that was asked for",
        arguments: Place.allCases)
    func whatIsAskedFor(_ place: Place) async throws {
        let url = try wall.serve("a")
        let (view, window) = try await show(place)
        var request = ImageRequest(url, filters: [.fill(width: 10, height: 8)])
        request.key = "avatar"
        var isKept = false
        view.widget.vitrine.setImage(
            from: url, key: "avatar", slot: place.slot, filters: request.filters,
            options: view.options
        ) { [ends, wall] result in
            ends.note(result)
            isKept = wall.loader.cachedImage(for: request) != nil
        }
        #expect(await pump { ends.words == ["network"] })
        #expect(view.width == 10 && isKept)

        let old = try #require(URL(string: "https://pictures.example/old"))
        wall.transport.answer(old, with: .redirect(to: url))
        var scaled = ImageRequest(old)
        scaled.scale = 4
        view.set(scaled)
        #expect(await pump { ends.words.count == 2 && ends.words.last != "failed" })
        #expect(view.content?.image?.scale == 4 && view.width == 24)
        gtk_window_destroy(window)
    }

    @Test(
        "V4, V5, A-40: cancelled it says so and shows nothing; set again, at once or later, it loads",
        arguments: Place.allCases)
    func cancelling(_ place: Place) async throws {
        let gate = Gate()
        let url = try wall.serve("a", heldBy: gate)
        let (view, window) = try await show(place)
        view.cancel()  // there is nothing yet
        view.set(url)
        view.cancel()  // before it has begun
        #expect(ends.words == ["cancelled"])
        view.set(url)
        #expect(await pump { wall.transport.active == 1 })
        view.cancel()
        view.cancel()
        #expect(ends.words == ["cancelled", "cancelled"])
        #expect(await pump { wall.transport.active == 0 })
        #expect(view.width == nil)
        view.set(url)
        gate.open()
        #expect(await pump { ends.words == ["cancelled", "cancelled", "network"] })
        #expect(view.width == 24)
        gtk_window_destroy(window)
    }

    @Test(
        "V4, A-39: the same picture twice is one load, and both are told", arguments: Place.allCases
    )
    func twice(_ place: Place) async throws {
        let gate = Gate()
        let url = try wall.serve("a", heldBy: gate)
        let (view, window) = try await show(place)
        view.set(url)
        view.set(url)
        #expect(await pump { wall.transport.active == 1 })
        gate.open()
        #expect(await pump { ends.words.count == 2 })
        #expect(ends.words == ["network", "network"] && view.width == 24)
        #expect(wall.transport.requests.count == 1)
        gtk_window_destroy(window)
    }

    @Test(
        "promise 25, A-40: another picture ends the load of the first, whichever would come first",
        arguments: Place.allCases)
    func another(_ place: Place) async throws {
        let (slow, fast) = (Gate(), Gate())
        let first = try wall.serve("first", heldBy: slow)
        let second = try #require(URL(string: "https://pictures.example/second"))
        wall.transport.answer(
            second, with: .bytes(try TestPicture.solid(width: 30, height: 30)).held(by: fast))
        let (view, window) = try await show(place)
        view.set(first)
        #expect(await pump { wall.transport.active == 1 })
        view.set(second)
        #expect(ends.words == ["cancelled"])
        slow.open()
        #expect(await pump { wall.transport.active == 1 && wall.transport.requests.count == 2 })
        #expect(view.width == nil)
        fast.open()
        #expect(await pump { ends.words == ["cancelled", "network"] })
        #expect(view.width == 30)
        gtk_window_destroy(window)
    }

    @Test(
        "promise 26: a picture that cannot be had leaves nothing of the one before",
        arguments: Place.allCases)
    func failureAfterPicture(_ place: Place) async throws {
        let (view, window) = try await show(place)
        view.set(try wall.serve("a"))
        #expect(await pump { view.width == 24 })
        let refused = try #require(URL(string: "https://pictures.example/refused"))
        wall.transport.answer(refused, with: .status(403))
        view.widget.vitrine.setImage(
            from: refused, slot: place.slot, options: view.options, completion: ends.note)
        #expect(await pump { ends.words == ["network", "failed"] })
        #expect(view.content?.isEmpty == true)
        gtk_window_destroy(window)
    }

    @Test(
        "promise 13, C6: a request's policy counts for what is in memory, too",
        arguments: Place.allCases)
    func policy(_ place: Place) async throws {
        let url = try wall.serve("a")
        _ = try await wall.loader.image(from: url)
        wall.transport.answer(url, with: .bytes(try TestPicture.solid(width: 30, height: 30)))
        let (view, window) = try await show(place)
        var request = ImageRequest(url)
        request.cachePolicy = .reload
        view.set(request)
        #expect(await pump { ends.words == ["network"] })
        #expect(view.width == 30)
        gtk_window_destroy(window)
    }

    @Test(
        "V3, A-42: a transition of what is in memory gives way to the next picture",
        arguments: Place.allCases)
    func transitionGivesWay(_ place: Place) async throws {
        let first = try wall.serve("a")
        let second = try #require(URL(string: "https://pictures.example/second"))
        wall.transport.answer(
            second,
            with: .bytes(
                try TestPicture.solid(width: 30, height: 30),
                headers: ["Cache-Control": "max-age=60"]))
        for url in [first, second] { _ = try await wall.loader.image(from: url) }
        var (view, window) = try await show(place)
        view.options.alwaysTransitions = true
        view.set(first, transition: .crossDissolve(.milliseconds(100)))
        #expect(view.isMoving && ends.words == ["memory"])
        view.set(second, transition: .crossDissolve(.milliseconds(100)))
        #expect(ends.words == ["memory", "memory"] && view.width == 30)
        #expect(await pump { !view.isMoving })
        #expect(view.width == 30)
        // And to nothing.
        view.set(first, transition: .crossDissolve(.milliseconds(100)))
        view.cancel()
        view.set(URL?.none)
        #expect(await pump { !view.isMoving })
        #expect(view.width == nil && view.isWaiting, "the placeholder")
        gtk_window_destroy(window)
    }

    @Test(
        "V2, promise 26: what memory has lost comes from disk without placeholder and transition",
        arguments: Place.allCases)
    func fromDisk(_ place: Place) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("vitrine-wall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let loader = ImageLoader.scripted(wall.transport) { $0.diskCache = .directory(folder) }
        let url = try wall.serve("a")
        _ = try await loader.image(from: url)
        await loader.waitUntilIdle()
        loader.imageCache.removeAll()
        var (view, window) = try await show(place, loader)
        view.options.gracePeriod = .seconds(20)  // this machine may be slow
        view.set(url, transition: .crossDissolve(.seconds(20)))
        var wasEmpty = false
        var hasWaited = false
        #expect(
            await pump {
                wasEmpty = wasEmpty || view.content?.isEmpty == true
                hasWaited = hasWaited || view.isWaiting
                return !ends.words.isEmpty
            })
        #expect(ends.words == ["disk"] && view.width == 24 && !view.isMoving)
        #expect(wasEmpty && !hasWaited)
        #expect(wall.transport.requests.count == 1)
        gtk_window_destroy(window)
    }

    @Test("L11, A-37: a view's own loader, else that of the views above it")
    func loaders() async throws {
        let url = try wall.serve("a")
        let other = ScriptedTransport()
        other.answer(url, with: .bytes(try TestPicture.solid(width: 30, height: 30)))
        let box = try wall.hang(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let window = try await wall.window(with: box)
        for (loader, width) in [(nil, 24), (ImageLoader.scripted(other), 30)] {
            let widget = try #require(gtk_picture_new())
            gtk_box_append(
                UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), widget)
            var view = Hung(widget: widget, place: .picture, ends: ends)
            view.options.loader = loader
            view.options.decodesAtShownSize = false
            view.set(url)
            #expect(await pump { view.width == width })
        }
        #expect(wall.transport.requests.count == 1 && other.requests.count == 1)
        gtk_window_destroy(window)
    }
}
