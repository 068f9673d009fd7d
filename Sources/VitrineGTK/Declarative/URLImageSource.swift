public import Vitrine

/// What a ``URLImage`` can show: a `URL`, an `ImageRequest`, or either of them, if there is one.
public protocol URLImageSource {
    /// What is to be loaded; nil for nothing.
    var urlImageRequest: ImageRequest? { get }
}

extension URL: URLImageSource {
    /// The picture at this URL, as it is.
    public var urlImageRequest: ImageRequest? { ImageRequest(self) }
}

extension ImageRequest: URLImageSource {
    /// This request.
    public var urlImageRequest: ImageRequest? { self }
}

extension Optional: URLImageSource where Wrapped: URLImageSource {
    /// What is wrapped, or nothing.
    public var urlImageRequest: ImageRequest? { flatMap(\.urlImageRequest) }
}
