import Glibc
import Vitrine

/// Pictures that are in memory, asked for once more, by turns with a dictionary under a lock.
struct MemoryHits {
    let loader: ImageLoader
    let requests: [ImageRequest]
    let images: [RasterImage]

    /// Prints for each pair of turns: a name, nanoseconds a picture, those of the dictionary.
    func run() async throws {
        let dictionary = LockedDictionary(zip(requests.map(\.url), images))
        for turn in 0...30 {
            let synchronous = time {
                for request in requests where loader.cachedImage(for: request) == nil { exit(1) }
            }
            let read = time {
                for request in requests where dictionary[request.url] == nil { exit(1) }
            }
            let start = now()
            for request in requests { _ = try await loader.image(for: request) }
            let awaited = Double(now() - start) / Double(requests.count)
            // The first turn brings everything into the processor's caches.
            guard turn > 0 else { continue }
            print("cachedImage(for:)\t\(synchronous)\t\(read)")
            print("image(for:), awaited\t\(awaited)\t\(read)")
        }
    }

    private func time(_ body: () -> Void) -> Double {
        let start = now()
        body()
        return Double(now() - start) / Double(requests.count)
    }
}

/// The least that a cache can be.
final class LockedDictionary {
    private var images: [URL: RasterImage]
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ images: some Sequence<(URL, RasterImage)>) {
        self.images = Dictionary(images, uniquingKeysWith: { first, _ in first })
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    subscript(url: URL) -> RasterImage? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return images[url]
    }
}

func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
