package import FoundationEssentials
package import VitrineHTTP
package import VitrineStorage

/// What an entry of the disk cache tells of itself, by its key and its metadata.
package struct StoredResource {
    /// The URL, without user info and fragment; nil if the key has another form.
    package let url: String?
    /// Whether it belongs to one credential partition only.
    package let isPartitioned: Bool
    /// nil if it cannot be read, which to the cache is a miss.
    package let head: StoredResponse.Head?

    package init(_ record: DiskStore.Record) {
        self.init(key: record.key, head: StoredResponse.Head(encoded: record.metadata))
    }

    /// Of an entry of which only the key is known.
    package init(key: String, head: StoredResponse.Head? = nil) {
        // The method, the URL, then maybe a digest and, after a `~`, a variant, or after a `+` a part.
        let key =
            key.hasPrefix(DiskResponseStore.parts)
            ? key.dropFirst(DiskResponseStore.parts.count) : key[...]
        let words = key.split(separator: " ", omittingEmptySubsequences: false)
        let isKnown = words.count > 1 && words[1].contains("://")
        url = isKnown ? String(words[1]) : nil
        isPartitioned = isKnown && words.count > 2 && !"~+".contains(words[2].prefix(1))
        self.head = head
    }
}

extension DiskStore {
    /// Removes every variant of what is stored for a URL, in every partition; says how many there
    /// were.
    package func removeResponses(for url: URL) async throws(DiskStoreError) -> Int {
        try await remove(DiskResponseStore.family(of: url))
            + remove(DiskResponseStore.familyOfParts(of: url))
    }
}
