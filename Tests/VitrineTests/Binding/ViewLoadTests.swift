import Foundation
import Testing
import Vitrine
import VitrineBase
import VitrineTesting

/// Writes down what it is told.
@MainActor private final class NotingTarget: ImageTarget {
    var notes: [String] = []
    var progress: [Double] = []
    var isLoading = false
    var shown: PixelSize?

    func show(_ content: ImageTargetContent) {
        shown = nil
        switch content {
        case .nothing: notes.append("nothing")
        case .placeholder: notes.append("placeholder")
        case .preview(let image, let transition):
            shown = image.pixelSize
            notes.append("preview" + (transition ? " with transition" : ""))
        case .picture(let response, let transition):
            shown = response.image.pixelSize
            notes.append("picture" + (transition ? " with transition" : ""))
        case .failure: notes.append("failure")
        }
    }

    func loadingChanged(_ isLoading: Bool) { self.isLoading = isLoading }

    func advanced(to progress: ImageTask.Progress) {
        if let fraction = progress.fraction { self.progress.append(fraction) }
    }
}

/// What completions were called with, a word each.
@MainActor private final class Ends {
    var words: [String] = []

    func note(_ result: Result<ImageResponse, SetImageError>) {
        switch result {
        case .success(let response): words.append(response.source.rawValue)
        case .failure(.nothingToLoad): words.append("nothing to load")
        case .failure(.noPlace): words.append("no place")
        case .failure(.load(let error)):
            words.append(
                error.isCancelled
                    ? "cancelled" : error.reason == .cacheMiss ? "miss" : "failed")
        }
    }
}

/// The rules of ``ViewBindingTests``, performed with a loader.
@Suite(.timeLimit(.minutes(2))) @MainActor struct ViewLoadTests {
    private let transport = ScriptedTransport()
    private let loader: ImageLoader
    private let target = NotingTarget()
    private let ends = Ends()
    private let a: URL
    private let b: URL

    init() throws {
        loader = .scripted(transport)
        a = try #require(URL(string: "https://pictures.example/a"))
        b = try #require(URL(string: "https://pictures.example/b"))
        for (url, width) in [(a, 20), (b, 30)] {
            transport.answer(
                url,
                with: .bytes(
                    try TestPicture.solid(width: width, height: 10),
                    headers: ["Cache-Control": "max-age=600"]))
        }
    }

    private func view(isVisible: Bool = true) -> ViewLoad {
        ViewLoad(target, isVisible: isVisible, time: transport.clock.source)
    }

    private func manner(_ change: (inout ViewLoad.Manner) -> Void) -> ViewLoad.Manner {
        var manner = ViewLoad.Manner()
        change(&manner)
        return manner
    }

    private func answer(_ url: URL, width: Int, heldBy gate: VitrineTesting.Gate) throws {
        transport.answer(
            url,
            with: .bytes(
                try TestPicture.solid(width: width, height: 10),
                headers: ["Cache-Control": "max-age=600"]
            ).held(by: gate))
    }

    private func wait(
        _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
        until isMet: @MainActor () -> Bool
    ) async throws {
        for _ in 0..<4000 {
            if isMet() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record(what, sourceLocation: sourceLocation)
    }

    /// Lets the grace period of a load pass, once somebody waits for it.
    private func passGracePeriod() async throws {
        await transport.clock.waitForSleepers()
        transport.clock.advance(by: .milliseconds(41))
    }

    @Test(
        "V2, promise 26: placeholder after the grace period, then the picture with its transition")
    func slow() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        #expect(target.notes == [] && target.isLoading && view.isLoading)
        try await passGracePeriod()
        try await wait("placeholder") { target.notes == ["placeholder"] }
        gate.open()
        try await wait("picture") { !ends.words.isEmpty }
        #expect(target.notes == ["placeholder", "picture with transition"])
        #expect(ends.words == ["network"] && !target.isLoading)
        #expect(target.shown?.width == 20 && view.response?.image.pixelSize.width == 20)
        #expect(target.progress.last == 1)
    }

    @Test("promise 26: what comes within the grace period comes alone") func quick() async throws {
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        try await wait("picture") { !ends.words.isEmpty }
        #expect(target.notes == ["picture"] && ends.words == ["network"])
    }

    @Test("promise 10: what is in memory is there in the same call, also in a hidden view")
    func memory() async throws {
        _ = try await loader.image(from: a)
        for isVisible in [true, false] {
            let view = view(isVisible: isVisible)
            view.set(ImageRequest(a), loader: loader, completion: ends.note)
            #expect(target.notes == ["picture"] && ends.words == ["memory"])
            #expect(!view.isLoading)
            target.notes = []
            ends.words = []
        }
    }

    @Test("promise 25: another picture is wanted; the first one's load ends and is not heard of")
    func another() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        await transport.waitForRequests()
        view.set(ImageRequest(b), loader: loader, completion: ends.note)
        #expect(ends.words == ["cancelled"])
        gate.open()
        try await wait("picture") { ends.words.count == 2 }
        await transport.waitUntilIdle()
        await loader.waitUntilIdle()
        #expect(ends.words == ["cancelled", "network"])
        #expect(target.notes == ["picture"] && target.shown?.width == 30)
    }

    @Test("promise 25, L4: the progress that is heard is that of the picture that is wanted now")
    func progress() async throws {
        let gates = [VitrineTesting.Gate(), VitrineTesting.Gate()]
        let bytes = try TestPicture.gradient(width: 200, height: 100)
        let chunks = [bytes.count / 4, bytes.count * 9 / 10]
        for (url, count, gate) in [(a, chunks[0], gates[0]), (b, chunks[1], gates[1])] {
            transport.answer(url, with: .bytes(bytes).chunked(by: count).pausing(at: gate))
        }
        let view = view()
        view.set(ImageRequest(a), loader: loader)
        try await wait("progress") { !target.progress.isEmpty }
        #expect(target.progress.allSatisfy { $0 < 0.3 })
        target.progress = []
        view.set(ImageRequest(b), loader: loader)
        gates[0].open()
        try await wait("the other's") { !target.progress.isEmpty && transport.active == 1 }
        #expect(target.progress.allSatisfy { $0 > 0.85 && $0 < 0.95 }, "\(target.progress)")
        gates[1].open()
        try await wait("picture") { target.shown != nil }
    }

    @Test("promise 25: a picture that is on its way when another one is wanted is not heard of")
    func onItsWay() async throws {
        let gate = VitrineTesting.Gate()
        try answer(b, width: 30, heldBy: gate)
        let held = Lock<[@Sendable () -> Void]>([])
        func deliver() {
            let works = held.withLock { works in
                defer { works = [] }
                return works
            }
            for work in works { work() }
        }
        let delivery = Delivery { work in held.withLock { $0.append(work) } }
        let view = ViewLoad(
            target, isVisible: true, delivery: delivery, time: transport.clock.source)
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        await loader.waitUntilIdle()
        try await wait("the first one's end") { held.withLock { !$0.isEmpty } }
        view.set(ImageRequest(b), loader: loader, completion: ends.note)
        #expect(ends.words == ["cancelled"])
        for _ in 0..<10 {
            deliver()
            await Task.yield()
        }
        #expect(view.isLoading && view.response == nil && target.shown == nil)
        gate.open()
        try await wait("picture") {
            deliver()
            return ends.words.count == 2
        }
        #expect(target.notes == ["picture"] && target.shown?.width == 30)
    }

    @Test("promise 28: the same request is not loaded again; whoever asks is told") func same()
        async throws
    {
        let view = view()
        for _ in 0..<3 { view.set(ImageRequest(a), loader: loader, completion: ends.note) }
        try await wait("picture") { ends.words.count == 3 }
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        #expect(ends.words == Array(repeating: "network", count: 4), "that which is shown")
        #expect(target.notes == ["picture"] && transport.requests.count == 1)

        var anew = ImageRequest(a)
        anew.cachePolicy = .reload
        for count in 2...3 {
            view.set(anew, loader: loader, completion: ends.note)
            try await wait("reloaded") { ends.words.count == 3 + count }
            #expect(transport.requests.count == count, "asked for more than what is there")
        }
        #expect(!target.notes.contains("nothing"))
    }

    @Test("promise 28: the same picture by another loader is another load") func anotherLoader()
        async throws
    {
        let view = view()
        view.set(ImageRequest(a), loader: loader)
        try await wait("picture") { target.notes == ["picture"] }
        view.set(ImageRequest(a), loader: .scripted(transport), completion: ends.note)
        try await wait("picture") { ends.words == ["network"] }
        #expect(transport.requests.count == 2 && !target.notes.contains("nothing"))
    }

    @Test(
        "V9, promise 27: a load begins with the view's appearing, ends with its going, and returns")
    func appearing() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        let view = view(isVisible: false)
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        #expect(!view.isLoading && transport.requests.isEmpty)
        #expect(target.notes == [], "who does not see it needs no placeholder")
        view.appeared()
        await transport.waitForRequests()
        view.disappeared()
        #expect(ends.words == [] && !view.isLoading, "the load is given up, the wish is not")
        await transport.waitUntilIdle()
        gate.open()
        view.appeared()
        try await wait("picture") { target.shown != nil }
        #expect(transport.requests.count == 2 && ends.words == ["network"])
    }

    @Test(
        "promise 27: a view that was hidden in the middle of its load and then goes says so, once")
    func hiddenForGood() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        await transport.waitForRequests()
        view.disappeared()
        view.vanished()
        #expect(ends.words == ["cancelled"])
        gate.open()
        await transport.waitUntilIdle()
        await loader.waitUntilIdle()
        #expect(ends.words == ["cancelled"] && target.shown == nil)
    }

    @Test("V9, V13: what could not be prefetched is asked for again when it is shown")
    func failedPrefetch() async throws {
        let prefetcher = ImagePrefetcher(loader)
        transport.answer(a, with: .status(404))
        let view = view(isVisible: false)
        view.set(
            ImageRequest(a), loader: loader,
            manner: manner { $0.whenHidden = .prefetches(prefetcher) },
            completion: ends.note)
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.failed == 1 && transport.requests.count == 1)
        #expect(target.notes == [] && ends.words == [], "nobody has seen that it failed")
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        gate.open()
        view.appeared()
        try await wait("picture") { ends.words == ["network"] }
        #expect(transport.requests.count == 2 && target.shown?.width == 20)
    }

    @Test("V9: a hidden view may load, or have its picture brought into memory") func whenHidden()
        async throws
    {
        let loading = view(isVisible: false)
        loading.set(
            ImageRequest(a), loader: loader, manner: manner { $0.whenHidden = .loads },
            completion: ends.note)
        try await wait("picture") { ends.words == ["network"] }

        let prefetcher = ImagePrefetcher(loader)
        let waiting = view(isVisible: false)
        let prefetching = manner { $0.whenHidden = .prefetches(prefetcher) }
        target.notes = []
        waiting.set(ImageRequest(b), loader: loader, manner: prefetching, completion: ends.note)
        await prefetcher.waitUntilIdle()
        #expect(target.notes == [] && loader.cachedImage(for: ImageRequest(b)) != nil)
        waiting.appeared()
        #expect(target.isLoading == false && target.shown?.width == 30, "in the same call")
        #expect(ends.words.count == 2)
    }

    @Test("V9: what a hidden view wants no more is prefetched no more") func prefetchStops()
        async throws
    {
        let gate = VitrineTesting.Gate()
        for url in [a, b] { try answer(url, width: 20, heldBy: gate) }
        let prefetcher = ImagePrefetcher(loader, maximumActive: 1)
        let prefetching = manner { $0.whenHidden = .prefetches(prefetcher) }
        let view = view(isVisible: false)
        view.set(ImageRequest(a), loader: loader, manner: prefetching)
        await transport.waitForRequests()
        view.set(ImageRequest(a), loader: loader, manner: prefetching)
        view.set(ImageRequest(b), loader: loader, manner: prefetching)
        await transport.waitForRequests(2)
        #expect(transport.requests.map(\.url) == [a, b], "the first one was stopped")
        view.clear()
        #expect(target.notes == ["placeholder"])
        #expect(prefetcher.progress.active == 0 && prefetcher.progress.waiting == 0)
        await transport.waitUntilIdle()
    }

    @Test("V4: cancelled, then wanted again") func cancelling() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        view.cancel()
        #expect(ends.words == ["cancelled"] && target.notes == ["placeholder"])
        gate.open()
        view.retry()
        try await wait("picture") { target.shown != nil }
        view.cancel()
        #expect(target.shown != nil && ends.words.count == 1)
    }

    @Test("V1: nothing is wanted: the placeholder at once") func nothing() async throws {
        let view = view()
        view.set(ImageRequest(a), loader: loader)
        try await wait("picture") { target.shown != nil }
        view.clear(completion: ends.note)
        #expect(target.notes.last == "placeholder" && ends.words == ["nothing to load"])
        #expect(view.response == nil && view.request == nil)
    }

    @Test("V2: a failure leaves the placeholder or has a picture of its own, and is tried again")
    func failure() async throws {
        transport.answer(a, with: .status(500), .status(500), .bytes(try TestPicture.solid()))
        let view = view()
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        try await wait("failure") { ends.words == ["failed"] }
        #expect(target.notes == ["placeholder"])
        view.set(
            ImageRequest(a), loader: loader, manner: manner { $0.showsFailure = true },
            completion: ends.note)
        try await wait("failure") { ends.words == ["failed", "failed"] }
        #expect(target.notes == ["placeholder", "failure"])
        view.retry()
        try await wait("picture") { target.shown != nil }
        #expect(ends.words.count == 2)
    }

    @Test(
        "promise 13: what no cache has is empty, not a failure; what cannot be loaded fails at once"
    )
    func atOnce() async throws {
        let view = view()
        var request = ImageRequest(a)
        request.cachePolicy = .cacheOnly
        request.url = try #require(URL(string: "data:image/png;base64,AAAA"))
        let failing = manner { $0.showsFailure = true }
        view.set(request, loader: loader, manner: failing, completion: ends.note)
        #expect(ends.words == ["miss"] && target.notes == ["placeholder"])
        let unknown = try #require(URL(string: "gopher://pictures.example/a"))
        view.set(ImageRequest(unknown), loader: loader, manner: failing, completion: ends.note)
        try await wait("failure") { ends.words == ["miss", "failed"] }
        #expect(target.notes.last == "failure")
    }

    @Test("promise 27: a view that goes cancels its load, says so, and leaves nothing") func going()
        async throws
    {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        weak var weakView: ViewLoad?
        do {
            let view = view()
            weakView = view
            view.set(
                ImageRequest(a), loader: loader, manner: manner { $0.followsChanges = true },
                completion: ends.note)
            await transport.waitForRequests()
        }
        #expect(weakView == nil && ends.words == ["cancelled"])
        await transport.waitUntilIdle()
        let gone = view()
        gone.vanished()
        gone.set(ImageRequest(a), loader: loader, completion: ends.note)
        #expect(ends.words == ["cancelled", "cancelled"] && transport.requests.count == 1)
    }

    @Test("V11: another size keeps the picture until it is there, and who waits goes on waiting")
    func adapting() async throws {
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        func request(_ width: Int) -> ImageRequest {
            var request = ImageRequest(a)
            request.targetSize = .fit(width: width, height: width)
            return request
        }
        let view = view()
        view.set(request(5), loader: loader, completion: ends.note)
        await transport.waitForRequests()
        view.adapt(to: request(10))
        #expect(ends.words == [])
        gate.open()
        try await wait("picture") { ends.words == ["network"] }
        #expect(target.shown?.width == 10)
        view.adapt(to: request(5))
        try await wait("smaller") { target.shown?.width == 5 }
        view.adapt(to: request(10))
        #expect(target.shown?.width == 10, "it is in memory")
        #expect(target.notes == ["picture", "picture", "picture"] && ends.words.count == 1)
    }

    @Test("D5: a picture in another size is shown first") func previews() async throws {
        var small = ImageRequest(a)
        small.targetSize = .fit(width: 5, height: 5)
        _ = try await loader.image(for: small)
        let gate = VitrineTesting.Gate()
        try answer(a, width: 20, heldBy: gate)
        var request = ImageRequest(a)
        request.showsOtherSizes = true
        request.cachePolicy = .standard
        request.targetSize = .fit(width: 15, height: 15)
        transport.clock.advance(by: .seconds(1))
        let view = view()
        view.set(request, loader: loader, completion: ends.note)
        try await wait("picture") { ends.words.count == 1 }
        #expect(target.notes.last == "picture" && target.shown?.width == 15)
        #expect(target.notes.filter { $0 == "preview" }.count <= 1)
    }

    @Test("V8: another manner, known only when the view has found its place, counts too")
    func otherManner() async throws {
        transport.answer(a, with: .status(500))
        let view = view(isVisible: false)
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        let other = ImageLoader.scripted(transport)
        view.adapt(
            to: ImageRequest(a), loader: other, manner: manner { $0.showsFailure = true })
        view.appeared()
        try await wait("failure") { ends.words == ["failed"] }
        #expect(target.notes == ["failure"])
    }

    @Test("C8: a view that follows shows what another load has found, without asking again")
    func following() async throws {
        let view = view()
        let following = manner { $0.followsChanges = true }
        view.set(ImageRequest(a), loader: loader, manner: following, completion: ends.note)
        let other = NotingTarget()
        let indifferent = ViewLoad(other, isVisible: true, time: transport.clock.source)
        indifferent.set(ImageRequest(a), loader: loader)
        try await wait("picture") { target.shown != nil && other.shown != nil }
        transport.answer(
            a,
            with: .bytes(
                try TestPicture.solid(width: 40, height: 10),
                headers: ["Cache-Control": "max-age=600"]))
        var reload = ImageRequest(a)
        reload.cachePolicy = .reload
        _ = try await loader.image(for: reload)
        try await wait("the new one") { target.shown?.width == 40 }
        #expect(other.shown?.width == 20 && transport.requests.count == 2)
        #expect(target.notes == ["picture", "picture"] && ends.words == ["network"])
    }

    @Test("a completion may ask for another picture") func reentrance() async throws {
        let view = view()
        view.set(ImageRequest(a), loader: loader) { [loader, b, ends] result in
            ends.note(result)
            view.set(ImageRequest(b), loader: loader, completion: ends.note)
        }
        view.set(ImageRequest(a), loader: loader, completion: ends.note)
        try await wait("both") { ends.words.count == 3 }
        #expect(ends.words == ["network", "network", "network"])
        #expect(target.shown?.width == 30)
    }
}
