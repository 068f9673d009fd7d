import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// The stores of a loader: its own, those of its groups, and those that requests bring.
final class ResponseStores: Sendable {
    /// One of them, with the cache that keeps its responses there.
    struct Place: Sendable {
        let cache: HTTPCache
        let store: any ResponseStore
        /// The store on disk behind it, if it is one.
        let disk: DiskStore?
        var group: CacheGroup?
        fileprivate var folder: GroupFolder?
        /// Where a response comes from that lies there.
        fileprivate(set) var source = ImageResponse.Source.disk

        /// Whether anything is kept there.
        var keeps: Bool { !(store is EmptyResponseStore) }

        fileprivate init(_ store: any ResponseStore, _ transport: any Transport, _ time: TimeSource)
        {
            self.store = store
            disk = (store as? DiskResponseStore)?.disk
            cache = HTTPCache(over: transport, store: store, time: time)
        }
    }

    private struct WeakStore {
        weak var store: (any ResponseStore)?
    }

    private struct State {
        var groups: [String: CacheGroup] = [:]
        var open: [String: Place] = [:]
        /// Those that requests have brought, as long as they live, so that a removal reaches them.
        var brought: [ObjectIdentifier: WeakStore] = [:]
    }

    /// The loader's own.
    let main: Place
    private let nothing: Place
    private let directory: String?
    private let transport: any Transport
    private let time: TimeSource
    private let observer: (any LoadObserver)?
    private let state: Lock<State>
    /// Where folders of groups are listed, named and removed.
    private let pool = BlockingPool(name: "vitrine-groups", threads: 1)

    init(
        _ configuration: ImageLoader.Configuration, transport: any Transport, time: TimeSource
    ) {
        self.transport = transport
        self.time = time
        directory = configuration.diskDirectory
        observer = configuration.observer
        nothing = Place(EmptyResponseStore(), transport, time)
        if case .custom(let store) = configuration.diskCache {
            main = Place(store, transport, time)
        } else if let directory {
            let disk = DiskStore(
                DiskStore.Configuration(
                    directory: directory, maximumBytes: configuration.diskCapacity), time: time)
            Self.tell(configuration.observer, of: disk, group: nil)
            main = Place(DiskResponseStore(disk), transport, time)
        } else if configuration.originalsCapacity <= 0 {
            main = nothing
        } else {
            var originals = Place(
                MemoryResponseStore(maximumBytes: configuration.originalsCapacity), transport, time)
            originals.source = .originals
            main = originals
        }
        state = Lock(State())
        for group in configuration.groups { declare(group) }
    }

    /// Declares a group, in place of an earlier one of its name; one whose name is too long stays
    /// undeclared, and what asks for it fails.
    func declare(_ group: CacheGroup) {
        guard group.name.utf8.count <= GroupFolder.nameLimit else { return }
        state.withLock { state in
            state.groups[group.name] = group
            state.open[group.name] = nil
        }
    }

    /// The place that a request names; nil for a group that was not declared.
    func place(for store: ImageRequest.Store) -> Place? {
        switch store {
        case .loader: return main
        case .none: return nothing
        case .group(let name):
            return state.withLock { state in
                if let place = state.open[name] { return place }
                guard let group = state.groups[name] else { return nil }
                let place = newPlace(of: group)
                state.open[name] = place
                return place
            }
        case .custom(let store):
            state.withLock { state in
                state.brought = state.brought.filter { $0.value.store != nil }
                state.brought[ObjectIdentifier(store)] = WeakStore(store: store)
            }
            return Place(store, transport, time)
        }
    }

    private func newPlace(of group: CacheGroup) -> Place {
        guard let directory else {
            var place = nothing
            place.group = group
            return place
        }
        let folder = GroupFolder(group.name, in: directory)
        let disk = folder.store(
            maximumBytes: group.maximumBytes,
            eviction: group.isOffline ? .never : .leastRecentlyUsed, time: time)
        Self.tell(observer, of: disk, group: group.name)
        var place = Place(
            DiskResponseStore(disk, dropsExpired: group.isOffline), transport, time)
        place.group = group
        place.folder = folder
        return place
    }

    /// Has an observer hear of what befalls a store, as long as there is that store.
    private static func tell(
        _ observer: (any LoadObserver)?, of disk: DiskStore, group: String?
    ) {
        guard let observer else { return }
        disk.observe { event in
            switch event {
            case .unavailable, .available, .indexReplaced, .folderVanished:
                observer.observe(event, ofGroup: group)
            case .inserted, .updated, .removed, .emptied: break
            }
        }
    }

    /// A folder from which a place's store can take a spool's file over by renaming it; nil if it is
    /// not on disk, or if it cannot be opened.
    func spoolDirectory(for place: Place) async -> String? {
        guard let disk = place.disk, (try? await disk.open()) != nil else { return nil }
        if let folder = place.folder { _ = try? await pool.run { folder.writeName() } }
        return disk.temporaryDirectory
    }

    // MARK: All of them

    /// The names of the groups that are declared, and of those whose folders lie on disk.
    func groupNames() async -> [String] {
        let declared = state.withLock { Set($0.groups.keys) }
        guard let directory else { return declared.sorted() }
        let found = try? await pool.run { GroupFolder.all(in: directory).map(\.name) }
        return declared.union(found ?? []).sorted()
    }

    /// Every store that may hold something: the loader's own, the groups', also of those that an
    /// earlier run has left, and those that requests have brought.
    func all() async -> [Place] {
        var places = [main]
        for name in await groupNames() {
            if let place = place(for: .group(name)) ?? undeclared(name) { places.append(place) }
        }
        let brought = state.withLock { $0.brought.values.compactMap(\.store) }
        places += brought.map { Place($0, transport, time) }
        return places
    }

    /// A group that lies on disk and is not declared in this run; its bound is not known, and nothing
    /// is to be evicted for it.
    private func undeclared(_ name: String) -> Place? {
        directory == nil ? nil : newPlace(of: CacheGroup(name, maximumBytes: .max))
    }

    /// Removes a group with all that it holds, declared or not.
    func removeGroup(_ name: String) async throws(DiskStoreError) {
        guard let directory else { return }
        // Whoever uses it next opens what is there then.
        let place = state.withLock { $0.open.removeValue(forKey: name) }
        let folder = GroupFolder(name, in: directory)
        do {
            try await pool.run { try folder.remove() }
        } catch let error as DiskStoreError {
            // What cannot be removed can be emptied.
            try await (place ?? undeclared(name))?.disk?.removeAll()
            throw error
        } catch {
            return
        }
    }

    /// Writes down what stores on disk have noted.
    func flush() async {
        let places = state.withLock { [main] + $0.open.values }
        for place in places { await place.disk?.flush() }
    }
}
