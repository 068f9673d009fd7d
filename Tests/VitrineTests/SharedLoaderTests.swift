import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// One after another, since there is but one shared loader.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SharedLoaderTests {
    @Test(
        "L11: the shared default is one loader until another takes its place, which all use from then on"
    )
    @MainActor func replacing() async throws {
        let former = ImageLoader.shared
        defer { ImageLoader.shared = former }
        #expect(ImageLoader.shared === former)

        let bench = try Workbench()
        try bench.serve("/scene", "scene.png", "Cache-Control: max-age=60")
        let kept = RemoteImage()
        weak var released: ImageLoader?
        do {
            let own = bench.loader()
            released = own
            ImageLoader.shared = own
            #expect(ImageLoader.shared === own)
        }
        let request = bench.request("/scene")
        _ = try await ImageLoader.shared.image(for: request)
        #expect(released?.cachedImage(for: request) != nil)
        let remote = RemoteImage(request)
        remote.load()
        #expect(remote.state.image != nil, "it has the loader that was put there, and its memory")
        let prefetcher = ImagePrefetcher()
        prefetcher.start([request])
        await prefetcher.waitUntilIdle()

        ImageLoader.shared = former
        #expect(former.cachedImage(for: request) == nil)
        kept.load(request)
        #expect(kept.state.image == nil, "who was made before keeps the loader of then")
        kept.cancel()
        #expect(bench.origin.requests(for: "/scene").count == 1)
        #expect(released != nil, "who has it keeps it")
        withExtendedLifetime((remote, prefetcher)) {}
    }

    @Test("L11: setting and reading it from many threads is safe")
    func threads() async throws {
        let loaders = (0..<4).map { _ in ImageLoader() }
        let former = ImageLoader.shared
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    ImageLoader.shared = loaders[number % 4]
                    let found = ImageLoader.shared
                    return loaders.contains { $0 === found }
                }
            }
            for await isOneOfThem in group { #expect(isOneOfThem) }
        }
        ImageLoader.shared = former
    }
}
