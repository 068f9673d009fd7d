import VitrineImaging

/// What is answered from memory, without a load.
extension LoadEngine {
    /// The image in memory for what the modifiers make of the request; nil if they throw.
    func cachedImage(_ request: ImageRequest) -> RasterImage? {
        // Whoever scrolls asks for this in every row, so nothing is copied that need not be.
        guard isModified(request) else { return entry(request)?.image }
        return (try? modified(request)).flatMap { entry($0)?.image }
    }

    /// The image in memory, where nobody but the caller wants to know of it; nil also where the rest of
    /// a load is to be gone through.
    func plainHit(_ request: ImageRequest) -> RasterImage? {
        guard !isModified(request), configuration.observer == nil else { return nil }
        return entry(request)?.image
    }

    private func entry(_ request: ImageRequest) -> ImageCache.Entry? {
        let identity = ImageIdentity(request, credentialing.standing(for: request))
        return memory.entry(ImageKey(identity), on: ImageCache.Terms(request))
    }

    /// The image in memory, if the request's policy lets it count.
    func cachedResponse(
        _ identity: ImageIdentity, _ request: ImageRequest, for purpose: LoadPurpose,
        startedAt: UInt64
    ) -> ImageResponse? {
        let terms = ImageCache.Terms(request)
        guard
            let entry = memory.entry(
                ImageKey(identity), on: terms, countsAsUse: purpose == .use)
        else { return nil }
        return ImageResponse(
            image: entry.image, source: .memory, request: request, http: entry.facts.http,
            data: nil, keeping: .unknown, resumedBytes: 0,
            timings: ImageResponse.Timings(total: elapsed(since: startedAt)))
    }
}
