import Vitrine
import VitrineBase

/// Where pictures came from that were loaded before they were shown: people want to know how a picture
/// got here, and not that it had been waiting in memory.
final class OriginsAhead: LoadObserver {
    /// Of each picture that was loaded and not told of yet.
    private let origins = Lock<[URL: PictureOrigin]>([:])

    func observe(_ event: LoadEvent) {
        guard event.stage == .load, case .ended(_, let facts) = event.moment,
            let origin = facts.source.map(PictureOrigin.init), origin != .memory
        else { return }
        origins.withLock { $0[event.url] = origin }
    }

    /// Where the picture that is shown came from; memory if it has been shown since it was loaded.
    func tell(_ source: ImageResponse.Source, of item: GalleryItem) -> PictureOrigin {
        let ahead = origins.withLock { $0.removeValue(forKey: item.url) }
        let origin = PictureOrigin(source)
        return origin == .memory ? ahead ?? .memory : origin
    }
}
