import Glibc
import Vitrine
import VitrineHTTP

/// Many callers of one picture, who join while it is on its way and then give up, one after another.
struct Callers {
    let count: Int

    /// Prints what joining and what leaving costs for each, in nanoseconds.
    func run() async throws {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        configuration.transport = Silence()
        let loader = ImageLoader(configuration)
        guard let url = URL(string: "http://silent.example/picture") else { exit(1) }
        var request = ImageRequest(url)
        request.targetSize = .fit(width: 256, height: 256)
        var start = now()
        let tasks = (0..<count).map { number in
            request.priority = number.isMultiple(of: 2) ? .normal : .low
            return loader.task(for: request)
        }
        print("joining\t\((now() - start) / UInt64(count))")
        start = now()
        for task in tasks { task.cancel() }
        print("leaving\t\((now() - start) / UInt64(count))")
        guard tasks.allSatisfy(\.isFinished) else { exit(1) }
        await loader.waitUntilIdle()
    }
}

/// Never answers.
private struct Silence: Transport {
    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        try? await Task.sleep(for: .seconds(3600))
        throw .cancelled
    }
}
