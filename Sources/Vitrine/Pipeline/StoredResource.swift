package import FoundationEssentials
package import VitrineHTTP
package import VitrineStorage

/// What an entry of the disk cache tells of itself, by its key and its metadata.
package struct StoredResource {
    /// The URL from which it came, without user info and fragment; nil if that cannot be known.
    package let url: String?
    /// Whether it belongs to one credential partition only.
    package let isPartitioned: Bool
    /// Whether it is no response, but what was made of one.
    package let isProcessed: Bool
    /// nil if there is none, or if it cannot be read, which to the cache is a miss.
    package let head: StoredResponse.Head?

    package init(_ record: DiskStore.Record) { self.init(key: record.key, record.metadata) }

    /// Of an entry of which maybe only the key is known.
    package init(key: String, _ metadata: Data = Data()) {
        // The method, the URL or a name, then maybe a digest of the partition, and after a `~` a
        // variant or after a `+` a part, or what was made of it.
        let isPart = key.hasPrefix(DiskResponseStore.parts)
        let key = isPart ? key.dropFirst(DiskResponseStore.parts.count) : key[...]
        let words = key.split(separator: " ", omittingEmptySubsequences: false)
        head = StoredResponse.Head(encoded: metadata)
        let source = words.count > 1 ? String(words[1]) : ""
        url =
            source.contains("://")
            ? source
            : (head?.url ?? ProcessedImages.url(in: metadata)).flatMap { $0.isEmpty ? nil : $0 }
        isPartitioned = words.dropFirst(2).first?.allSatisfy(\.isHexDigit) ?? false
        isProcessed = !isPart && words.dropFirst(2).contains { $0.hasPrefix("+") }
    }
}

extension DiskStore {
    /// Removes every variant of what is stored for a URL, in every partition; says how many there
    /// were.
    package func removeResponses(for url: URL) async throws(DiskStoreError) -> Int {
        try await DiskResponseStore(self).remove(url)
    }
}
