public import FoundationEssentials
import VitrineBase

/// Adding, finding and removing.
extension ImageCache {
    // MARK: - Adding

    /// Keeps `image` as what the request stands for, or, with an identifier, beside that.
    ///
    /// Without an identifier it is from now on what loaders and views find in memory for this request.
    /// It counts as fresh until `expires`; without that, until it is dropped or removed. A picture that is
    /// not complete is not kept.
    ///
    /// - Returns: false if the cache does not keep it, since it is not complete or larger than the whole
    ///   capacity, or the request's scale is no positive number. What stood in its place is gone then.
    @discardableResult
    public func insert(
        _ image: RasterImage, for request: ImageRequest, identifier: String? = nil,
        expires: Date? = nil
    ) -> Bool {
        guard request.scale > 0, request.scale.isFinite else { return false }
        return insert(image, ImageKey(request, identifier: identifier), expires)
    }

    /// Keeps `image` under a name. See ``insert(_:for:identifier:expires:)``.
    @discardableResult
    public func insert(
        _ image: RasterImage, identifier: String, expires: Date? = nil
    ) -> Bool {
        insert(image, ImageKey(nil, identifier: identifier), expires)
    }

    private func insert(_ image: RasterImage, _ key: ImageKey, _ expires: Date?) -> Bool {
        guard image.isComplete else {
            _ = remove([key])
            return false
        }
        let insertion = insert(
            Entry(image: image, facts: Facts(freshUntil: expires ?? .distantFuture)), for: key)
        insertion.report()
        return insertion.isKept
    }

    // MARK: - Finding

    /// The image of the request, and of the identifier if one is given, where the request's policy lets
    /// it count: while it is fresh, or at any age. It becomes the most recently used.
    public func image(
        for request: ImageRequest, identifier: String? = nil
    ) -> RasterImage? {
        entry(ImageKey(request, identifier: identifier), on: Terms(request))?.image
    }

    /// The image that was added under a name, while it is fresh.
    public func image(identifier: String) -> RasterImage? {
        entry(ImageKey(nil, identifier: identifier), on: Terms())?.image
    }

    /// The image of the request; if it is not there, the same picture with the same filters in the
    /// size that stands in for it best, where the request's policy lets it count.
    ///
    /// For a view that would rather show a picture that is a little too small or too large than none,
    /// until the right one has come. Takes time for each variant of the picture.
    public func closestImage(
        for request: ImageRequest, identifier: String? = nil
    ) -> RasterImage? {
        let key = ImageKey(request, identifier: identifier)
        return entry(key, on: Terms(request))?.image ?? otherSize(of: key, request)
    }

    /// The best other size of the image of `key`.
    func otherSize(of key: ImageKey, _ request: ImageRequest) -> RasterImage? {
        guard request.cachePolicy.readsCache else { return nil }
        let found = leases.withLock { leases in
            let now = time.uptime
            return leases.variants(of: key).compactMap { other -> (ImageKey, Entry)? in
                guard other != key, other.differsInSizeOnly(from: key),
                    let found = leases.image(for: other, now: now)
                else { return nil }
                return (other, Entry(image: found.image, facts: found.facts))
            }
        }.filter { $0.1.counts(on: Terms(request), at: time) }
        guard let file = found.first?.1.image.info.pixelSize else { return nil }
        let sizes = found.map { $0.0.size(of: $0.1.image.info.pixelSize) }
        return ClosestSize.best(of: sizes, for: key.size(of: file)).map { found[$0].1.image }
    }

    // MARK: - Removing

    /// Removes what the request stands for, or, with an identifier, what stands beside that; nothing else.
    ///
    /// - Returns: whether there was such an image.
    @discardableResult
    public func remove(for request: ImageRequest, identifier: String? = nil) -> Bool {
        remove([ImageKey(request, identifier: identifier)]) > 0
    }

    /// Removes the image that was added under a name.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(identifier: String) -> Bool {
        remove([ImageKey(nil, identifier: identifier)]) > 0
    }

    /// Removes all that was made of the request's source, in whatever size and scale, with whatever
    /// filters and identifiers.
    ///
    /// Sources that differ in method, URL or key, headers, body, partition or store stay.
    ///
    /// - Returns: how many images these were.
    @discardableResult
    public func removeVariants(of request: ImageRequest) -> Int {
        let key = ImageKey(request, identifier: nil)
        return remove(leases.withLock { Array($0.variants(of: key)) })
    }

    /// Removes the picture at `url` in all its variants, whatever headers it was asked for with, in every
    /// partition, also where it goes by a key. Looks at every image.
    ///
    /// - Returns: how many images these were.
    @discardableResult
    public func remove(_ url: URL) -> Int {
        let names = names { $0.isOf(url) }
        return remove { identity in
            identity.resource.name.map { names.contains($0) } ?? identity.resource.isOf(url)
        }
    }

    /// The keys of requests under which pictures that are meant are known.
    func names(where isMeant: (Resource) -> Bool) -> Set<String> {
        let keys = leases.withLock { leases in leases.keys { isMeant($0.resource) } }
        return Set(keys.compactMap { $0.image?.resource.name })
    }

    /// Removes every variant of the pictures that are meant.
    @discardableResult
    func remove(where isMeant: (ImageIdentity) -> Bool) -> Int {
        remove(leases.withLock { $0.keys(where: isMeant) })
    }

    /// Removes everything. What is on screen or in a variable stays as it is, and is found no more.
    public func removeAll() {
        leases.withLock { $0.removeAll() }
        images.removeAll()
    }

    /// Removes what is older than the age limit; returns how many images these were.
    ///
    /// Without it that happens when they are asked for, or when something has to go.
    @discardableResult
    public func removeExpired() -> Int { images.removeExpired() }

    private func remove(_ keys: [ImageKey]) -> Int {
        // The leases first: with the last of them the cache itself cannot bring the image back.
        let leased = leases.withLock { leases in keys.map { leases.remove($0) } }
        return zip(keys, leased).count { key, isLeased in images.remove(key) != nil || isLeased }
    }
}

extension ImageKey {
    /// The size in which this variant shows a picture of `file`, before filters.
    fileprivate func size(of file: PixelSize) -> PixelSize {
        image?.targetSize?.result(of: file) ?? file
    }
}
