package import FoundationEssentials
package import VitrineHTTP
package import VitrineStorage

/// What an entry of the disk cache tells of itself, by its key and its metadata.
package struct StoredResource {
    /// The URL, without user info and fragment; nil if the key has another form.
    package let url: String?
    /// Whether it belongs to one credential partition only.
    package let isPartitioned: Bool
    /// Whether it is what was made of a response.
    package let isProcessed: Bool
    /// nil if it cannot be read, which to the cache is a miss.
    package let head: StoredResponse.Head?

    package init(_ record: DiskStore.Record) {
        let head = StoredResponse.Head(encoded: record.metadata)
        self.init(
            key: record.key, head: head, url: head?.url ?? ProcessedImages.url(in: record.metadata))
    }

    /// Of an entry of which only the key is known.
    ///
    /// - Parameter url: the URL that its metadata tell, where a name stands for it in the key.
    package init(key: String, head: StoredResponse.Head? = nil, url other: String? = nil) {
        // The method, the URL or a name, then maybe a digest and, after a `~`, a variant, or after a
        // `+` what was made of it.
        let words = key.split(separator: " ", omittingEmptySubsequences: false)
        let isKnown = words.count > 1 && words[1].contains("://")
        let isNamed = key.hasPrefix(ResponseKey.prefixOfNamed)
        url = isKnown ? String(words[1]) : isNamed ? other : nil
        let owner = (isKnown || isNamed) && words.count > 2 ? words[2].first : nil
        isPartitioned = owner.map { $0 != "~" && $0 != "+" } ?? false
        isProcessed = (isKnown || isNamed) && words.last?.first == "+"
        self.head = head
    }
}

extension DiskStore {
    /// Removes every variant of what is stored for a URL, in every partition; says how many there
    /// were.
    package func removeResponses(for url: URL) async throws(DiskStoreError) -> Int {
        try await DiskResponseStore(self).remove(url)
    }
}
