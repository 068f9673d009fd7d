package import FoundationEssentials
import VitrineBase

/// A ``DiskStore`` without threads of its own: every call is done on the thread that makes it.
///
/// For programs that measure the store, or keep a thread for it. Not part of the public interface,
/// since nobody should come upon a blocking call by chance.
package struct SynchronousStore: Sendable {
    private let core: StoreCore

    /// A store that does nothing until it is asked something.
    package init(_ configuration: DiskStore.Configuration) {
        core = StoreCore(configuration, time: .system)
    }

    /// Opens or makes the folder now.
    package func open() throws { try core.open() }

    /// As ``DiskStore/entry(for:)``.
    package func entry(for key: String) throws -> DiskStore.Entry? { try core.entry(for: key) }

    /// As ``DiskStore/insert(_:metadata:for:expires:)``.
    package func insert(_ body: DiskStore.Body, metadata: Data, for key: String) throws {
        try core.insert(body, metadata: metadata, for: key, expiry: nil)
    }

    /// Stores entries as ``DiskStore`` does with those that wait at the same time; says why not, of each
    /// that could not be stored. For bodies of at most 1 MB.
    package func insert(
        _ entries: [(body: Data, metadata: Data, key: String)]
    ) -> [DiskStoreError?] {
        var errors = [DiskStoreError?](repeating: nil, count: entries.count)
        var ready: [(index: Int, entry: ReadyEntry)] = []
        for (index, entry) in entries.enumerated() {
            do {
                let entry = try core.prepare(
                    entry.body, metadata: entry.metadata, for: entry.key, expiry: nil)
                ready.append((index, entry))
            } catch {
                errors[index] = core.storeError(error)
            }
        }
        for (place, outcome) in zip(ready, core.commit(ready.map(\.entry))) {
            if case .failure(let error) = outcome { errors[place.index] = core.storeError(error) }
        }
        return errors
    }

    /// What ``DiskStore`` does after a call, once its caller has the answer.
    package func tidy() { core.tidy() }

    /// Writes down when entries were used, and closes the index until the next call.
    package func close() { core.close() }
}
