public import VitrineStorage

/// Removal takes a picture out of every layer at once, and takes no other: memory in all sizes and
/// variants, the loader's disk cache, its groups, stores that requests have brought, and what was made
/// of it and kept on disk.
///
/// A load that is under way meanwhile ends for its callers, and does not put back what was removed; a
/// load that is started afterwards does not join it. All of these throw the first error of a disk store,
/// after all layers have been tried; memory is free of it in any case. ``changes`` tells of each.
extension ImageLoader {
    /// Removes the picture at `url`, in all its sizes and variants, in every partition and group.
    ///
    /// A picture under a key (``ImageRequest/key``) is removed if it came from this URL; where a key has
    /// many URLs, ``removeFromCaches(key:)`` is surer. Looks at every entry under a key, a millisecond or
    /// so a thousand.
    ///
    /// - Throws: `DiskStoreError` if the disk cache cannot be changed.
    public func removeFromCaches(_ url: URL) async throws(DiskStoreError) {
        try await engine.remove(.url(url))
    }

    /// Removes what lies under a key, from whatever URLs it came, in every partition and group.
    ///
    /// - Throws: `DiskStoreError` if the disk cache cannot be changed.
    public func removeFromCaches(key: String) async throws(DiskStoreError) {
        try await engine.remove(.key(key))
    }

    /// Removes everything, offline groups included.
    ///
    /// - Throws: `DiskStoreError` if the disk cache cannot be emptied.
    public func removeAllFromCaches() async throws(DiskStoreError) {
        try await engine.remove(.all)
    }

    /// Removes a group with all that it holds, also one that an earlier run has left and that was not
    /// declared in this one. A declared one can be used again at once, and is empty.
    ///
    /// - Throws: `DiskStoreError` if its folder cannot be removed.
    public func removeGroup(_ name: String) async throws(DiskStoreError) {
        try await engine.remove(.group(name))
    }
}

extension ImageLoader {
    /// Declares a group, beside those of the configuration; one of the same name gets the new bounds.
    ///
    /// Nothing is read or made on disk. What an earlier run has stored in the group is there.
    public func declareGroup(_ group: CacheGroup) { stores.declare(group) }

    /// The names of the groups that are declared, and of those that earlier runs have left on disk.
    public func groupNames() async -> [String] { await stores.groupNames() }

    /// How full a group is; nil if it was not declared, or if the loader has no folder on disk.
    ///
    /// - Throws: `DiskStoreError` if it cannot be read.
    public func diskStatistics(
        ofGroup name: String
    ) async throws(DiskStoreError) -> DiskStore.Statistics? {
        try await stores.place(for: .group(name))?.disk?.statistics()
    }
}
