/// By what an image in memory is known: what it is, or a name that somebody gave it, or both.
struct ImageKey: Hashable, Sendable {
    /// Nil for an image that has a name only.
    let image: ImageIdentity?
    /// What tells it from other images made for the same request by hand.
    let identifier: String?

    init(_ image: ImageIdentity?, identifier: String? = nil) {
        self.image = image
        self.identifier = identifier
    }

    init(_ request: ImageRequest, identifier: String?) {
        self.init(ImageIdentity(request, .nobody), identifier: identifier)
    }

    /// What all variants of the picture have in common.
    var ofSource: ImageKey {
        ImageKey(image?.ofSource, identifier: image == nil ? identifier : nil)
    }

    /// Whether the other is the same picture in another size or scale.
    func differsInSizeOnly(from other: ImageKey) -> Bool {
        guard let image, let otherImage = other.image else { return false }
        return identifier == other.identifier && image.differsInSizeOnly(from: otherImage)
    }
}
