public import Vitrine

/// How far a ``URLImage`` is, for one closure that makes all its slots.
public enum URLImagePhase {
    /// Nothing is wanted, loading has not begun or was given up, or no cache has it and the request's policy
    /// is `CachePolicy.cacheOnly`.
    case empty
    /// It loads. The slot is made once for all loads and goes with the progress; the preview shows nothing
    /// unless `ImageRequest.previews` or another of its kind asks for one.
    case inProgress(URLImageProgress, preview: URLImagePicture)
    /// There is no picture; the closure tries once more.
    case failure(ImageError, retry: @MainActor () -> Void)
    /// The picture, and how it came.
    case success(URLImagePicture, ImageResponse)
}
