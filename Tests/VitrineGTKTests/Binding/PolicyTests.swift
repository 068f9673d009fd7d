import CGTK
import DisplaySupport
import Foundation
import PixelSupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// Policies and removal mean in views what they mean in the loader.
@MainActor @Suite(.serialized, .timeLimit(.minutes(3))) struct PolicyTests {
    /// What is in the caches when the picture is asked for: it was red, and is blue at its server now.
    enum Cached: CaseIterable {
        case fresh, stale, nothing
    }

    /// What came of it.
    struct Outcome: Equatable {
        /// What is shown; nil for nothing.
        var shown: Pixel?
        var requests: Int
        /// What the caches have afterwards.
        var kept: Pixel?
    }

    enum Asker: CaseIterable {
        case loader, setImage, urlImage
    }

    private static func expected(_ policy: CachePolicy, _ cached: Cached) -> Outcome {
        let old = cached == .nothing ? nil : Stage.red
        switch policy {
        case .cacheOnly: return Outcome(shown: old, requests: 0, kept: old)
        case .cacheElseLoad where cached != .nothing, .standard where cached == .fresh:
            return Outcome(shown: old, requests: 0, kept: old)
        case .bypass: return Outcome(shown: Stage.blue, requests: 1, kept: old)
        default: return Outcome(shown: Stage.blue, requests: 1, kept: Stage.blue)
        }
    }

    @Test(
        "V8, promise 13: each policy shows the same, asks and keeps the same, in the loader and in views",
        arguments: Cached.allCases, CachePolicy.allCases)
    func policies(_ cached: Cached, _ policy: CachePolicy) async throws {
        let expected = Self.expected(policy, cached)
        for asker in Asker.allCases {
            let outcome = try await outcome(of: policy, cached, by: asker)
            #expect(outcome == expected, "\(asker)")
        }
    }

    private func outcome(
        of policy: CachePolicy, _ cached: Cached, by asker: Asker
    ) async throws -> Outcome {
        let stage = try Stage()
        var request = ImageRequest(try stage.serve("a"))
        request.targetSize = .fit(width: 40, height: 40)
        if cached != .nothing { _ = try await stage.loader.image(for: request) }
        if cached == .stale { stage.transport.clock.advance(by: .seconds(700)) }
        try stage.serve("a", Stage.blue)
        let earlier = stage.transport.requests.count
        request.cachePolicy = policy
        let shown =
            switch asker {
            case .loader: try await color(of: request, by: stage.loader)
            case .setImage: try await colorInPicture(request, stage)
            case .urlImage: try await colorInURLImage(request, stage)
            }
        let requests = stage.transport.requests.count - earlier
        request.cachePolicy = .cacheOnly
        return Outcome(
            shown: shown, requests: requests,
            kept: try await color(of: request, by: stage.loader))
    }

    private func color(of request: ImageRequest, by loader: ImageLoader) async throws -> Pixel? {
        do {
            return try await loader.image(for: request).posterFrame[20, 20]
        } catch {
            #expect(error.reason == .cacheMiss)
            return nil
        }
    }

    private func colorInPicture(_ request: ImageRequest, _ stage: Stage) async throws -> Pixel? {
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 60, height: 60))
        defer { close(window) }
        let yellow = Placeholder.picture(Pictures.solid(Pictures.yellow))
        let green = Placeholder.picture(Pictures.solid(Pictures.green))
        var result: Result<ImageResponse, SetImageError>?
        picture.vitrine.setImage(
            from: request, placeholder: yellow, failureImage: green, options: stage.options
        ) { result = $0 }
        #expect(await pump { result != nil && WidgetPixels(picture)?.middle.alpha == 255 })
        let shown = WidgetPixels(picture)?.middle
        switch try #require(result) {
        case .success: return shown
        case .failure(let error):
            #expect(error == .load(ImageError(.cacheMiss, url: request.url)))
            #expect(shown == Pictures.yellow, "nothing has failed")
            return nil
        }
    }

    private func colorInURLImage(_ request: ImageRequest, _ stage: Stage) async throws -> Pixel? {
        var slots: [String] = []
        let widget = URLImage(request) {
            let _ = slots.append("empty")
            gtk_label_new("empty")
        } failure: { _, _ in
            let _ = slots.append("failure")
        } content: { picture, _ in
            let _ = slots.append("content")
            picture
        }.fixedSize(width: 40, height: 40).loader(stage.loader).makeWidget()
        let window = try #require(await present(widget, width: 60, height: 60))
        defer { close(window) }
        #expect(await pump { !slots.isEmpty })
        if slots == ["empty"] { return nil }
        #expect(slots == ["content"])
        #expect(await pump { WidgetPixels(widget)?.middle.alpha == 255 })
        return WidgetPixels(widget)?.middle
    }

    @Test("promise 26: one that asks anew keeps its picture meanwhile, without a flash")
    func reloading() async throws {
        let stage = try Stage()
        let gate = Gate()
        let url = try stage.serve("a")
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 60, height: 60))
        let yellow = Placeholder.picture(Pictures.solid(Pictures.yellow))
        picture.vitrine.setImage(from: url, placeholder: yellow, options: stage.options)
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.red })
        try stage.serve("a", Stage.blue, heldBy: gate)
        var options = stage.options
        options.cachePolicy = .reload
        var ends = 0
        picture.vitrine.setImage(from: url, placeholder: yellow, options: options) { _ in ends += 1
        }
        #expect(await pump { stage.transport.active == 1 })
        // Longer than the grace period.
        _ = await pump(within: 0.1) { false }
        #expect(WidgetPixels(picture)?.middle == Stage.red && ends == 0)
        gate.open()
        #expect(await pump { WidgetPixels(picture)?.middle == Stage.blue })
        #expect(ends == 1)
        close(window)
    }

    @Test("promise 15: what was removed stays on screen, and is in no view that asks for it later")
    func removal() async throws {
        let stage = try Stage()
        let url = try stage.serve("a")
        let first = try #require(gtk_picture_new())
        let second = try #require(gtk_picture_new())
        // As large as they ask to be.
        for picture in [first, second] {
            gtk_widget_set_halign(picture, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
        }
        var options = stage.options
        options.layout = .fixed(PointSize(width: 40, height: 40))
        options.followsChanges = true
        let window = try #require(
            await present(try Widgets.column(first, second), width: 60, height: 100))
        first.vitrine.setImage(from: url, options: options)
        #expect(await pump { first.vitrine.response() != nil })
        try await stage.loader.removeFromCaches(url)
        _ = await pump(within: 0.1) { false }
        #expect(WidgetPixels(first)?.middle == Stage.red && stage.transport.requests.count == 1)

        options.cachePolicy = .cacheOnly
        var miss: SetImageError?
        second.vitrine.setImage(from: url, options: options) { result in
            if case .failure(let error) = result { miss = error }
        }
        #expect(await pump { miss == .load(ImageError(.cacheMiss, url: url)) })
        #expect(second.vitrine.paintable()?.content.isEmpty == true)
        options.cachePolicy = nil
        second.vitrine.setImage(from: url, options: options)
        #expect(await pump { second.vitrine.response()?.source == .network })
        #expect(stage.transport.requests.count == 2)

        let widget = URLImage(url).fixedSize(width: 40, height: 40).loader(stage.loader)
            .makeWidget()
        #expect(Widgets.paintable(in: widget)?.content.image != nil, "it is there again")
        g_object_ref_sink(widget)
        g_object_unref(widget)
        try await stage.loader.removeAllFromCaches()
        let later = URLImage(url).fixedSize(width: 40, height: 40).loader(stage.loader).makeWidget()
        #expect(Widgets.paintable(in: later) == nil)
        g_object_ref_sink(later)
        g_object_unref(later)
        close(window)
    }
}
