import CGTK
import Vitrine

/// What makes the slots of a ``URLImage``.
struct URLImageSlots {
    var empty: @MainActor () -> SlotBuilder.Slot
    var inProgress: @MainActor (URLImageProgress, URLImagePicture) -> SlotBuilder.Slot
    var failure: @MainActor (ImageError, @escaping @MainActor () -> Void) -> SlotBuilder.Slot
    var content: @MainActor (URLImagePicture, ImageResponse) -> SlotBuilder.Slot
}

extension URLImageSlots {
    /// All slots made by one closure.
    init(_ phase: @escaping @MainActor (URLImagePhase) -> SlotBuilder.Slot) {
        self.init(
            empty: { phase(.empty) },
            inProgress: { phase(.inProgress($0, preview: $1)) },
            failure: { phase(.failure($0, retry: $1)) },
            content: { phase(.success($0, $1)) })
    }
}
