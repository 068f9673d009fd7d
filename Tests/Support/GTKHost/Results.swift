import CGTK
import Dispatch
import Vitrine
import VitrineGTK

/// Results arrive on the main thread although nobody serves the main queue: `results URL`.
@MainActor func results(_ words: [String]) {
    guard let url = words.first.flatMap({ URL(string: $0) }) else {
        return Findings.expect(false, "there is a URL")
    }
    var configuration = ImageLoader.Configuration()
    configuration.diskCache = .none
    let loader = ImageLoader(configuration)
    let request = ImageRequest(url)
    let remote = RemoteImage(
        ImageRequest(url, filters: [.circle]), loader: loader, delivery: .mainLoop)
    let loop = HostLoop()
    let diary = Diary(["loaded", "in the same call", "from another thread", "remote"]) {
        loop.quit()
    }
    let served = Switch()
    DispatchQueue.main.async { MainActor.assumeIsolated { served.isOn = true } }

    let isWithin = Switch()
    isWithin.isOn = true
    loader.load(request, deliveringOn: .mainLoop) { result in
        MainActor.assumeIsolated {
            Findings.expect(!isWithin.isOn, "what is fetched comes after the call")
            Findings.expect((try? result.get()) != nil, "the load succeeds")
            diary.note("loaded")
            hit(loader, request, diary)
            watch(remote, diary)
        }
    }
    isWithin.isOn = false
    remote.load()
    loop.run()
    Findings.expect(!served.isOn, "nobody serves the main queue")
}

/// The image is in memory now.
@MainActor private func hit(_ loader: ImageLoader, _ request: ImageRequest, _ diary: Diary) {
    let isWithin = Switch()
    isWithin.isOn = true
    loader.load(request, deliveringOn: .mainLoop) { _ in
        MainActor.assumeIsolated {
            Findings.expect(isWithin.isOn, "a hit comes within the call")
            diary.note("in the same call")
        }
    }
    isWithin.isOn = false
    Task.detached {
        // Not within the call either, which would be on the wrong thread.
        loader.load(request, deliveringOn: .mainLoop) { _ in
            MainActor.assumeIsolated { diary.note("from another thread") }
        }
    }
}

@MainActor private func watch(_ remote: RemoteImage, _ diary: Diary) {
    if remote.state.image != nil { return diary.note("remote") }
    after(milliseconds: 5) { watch(remote, diary) }
}
