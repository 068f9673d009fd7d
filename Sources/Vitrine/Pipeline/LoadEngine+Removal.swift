import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// What is to be removed from every layer.
enum Removal: Sendable {
    /// The picture at a URL, whatever its variant and partition, also where it lies under a key.
    case url(URL)
    /// What lies under a key.
    case key(String)
    /// A group with all that it holds.
    case group(String)
    case all
}

extension Removal {
    /// What listeners are told of it.
    fileprivate var change: CacheChange {
        switch self {
        case .url(let url): .removed(url)
        case .key(let key): .removedKey(key)
        case .group(let name): .removedGroup(name)
        case .all: .everything
        }
    }
}

extension LoadEngine {
    /// Removes something from memory and from all stores, and nothing else.
    ///
    /// Loads that are under way do not put it back: they go on for their callers, keep nothing, and
    /// nobody who comes later joins them.
    ///
    /// - Throws: the first error of a store on disk, after all have been tried.
    func remove(_ removal: Removal) async throws(DiskStoreError) {
        let names = forget(removal)
        for permit in names.permits { await permit.waitForWrites() }
        var failure: DiskStoreError?
        do throws(DiskStoreError) {
            try await removeFromStores(removal, names.all)
        } catch {
            failure = error
        }
        // Loads that began meanwhile may have found what is gone now.
        _ = forget(removal, names.all)
        changes.post(removal.change)
        if let failure { throw failure }
    }

    /// Takes it out of memory, and has loads under way keep nothing. One step: no load can slip something
    /// back between the two.
    private func forget(
        _ removal: Removal, _ known: Set<String> = []
    ) -> (all: Set<String>, permits: [KeepPermit]) {
        let (names, permits, effects) = state.withLock { state in
            forget(removal, known, &state)
        }
        perform(effects)
        return (names, permits)
    }

    private func forget(
        _ removal: Removal, _ known: Set<String>, _ state: inout State
    ) -> (Set<String>, [KeepPermit], [Effect]) {
        var names = known
        if case .url(let url) = removal {
            names.formUnion(memory.names { $0.isOf(url) })
            for case .bytes(let source) in state.graph.rootKeys {
                guard let name = source.resource.name, source.resource.isOf(url) else { continue }
                names.insert(name)
            }
        }
        func isMeant(_ resource: Resource, _ store: ImageRequest.Store) -> Bool {
            switch removal {
            case .url(let url):
                resource.name.map { names.contains($0) } ?? false || resource.isOf(url)
            case .key(let key): resource.name == key
            case .group(let name): store == .group(name)
            case .all: true
            }
        }
        let permits = permits.revoke { isMeant($0.resource, $0.store) }
        let roots = state.graph.roots { key in
            guard case .bytes(let source) = key else { return false }
            return isMeant(source.resource, source.store)
        }
        let actions = roots.flatMap { state.graph.sever($0) }
        memory.remove { isMeant($0.resource, $0.store) }
        return (names, permits, carryOut(actions, &state))
    }

    private func removeFromStores(
        _ removal: Removal, _ names: Set<String>
    ) async throws(DiskStoreError) {
        if case .group(let name) = removal { return try await stores.removeGroup(name) }
        var failure: DiskStoreError?
        for place in await stores.all() {
            do throws(DiskStoreError) {
                try await place.remove(removal, names)
            } catch {
                failure = failure ?? error
            }
        }
        if case .all = removal {
            do throws(DiskStoreError) {
                for name in await stores.groupNames() { try await stores.removeGroup(name) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension ResponseStores.Place {
    /// Removes something from this store; `names` are those under which a URL's picture is known to lie.
    fileprivate func remove(
        _ removal: Removal, _ names: Set<String>
    ) async throws(DiskStoreError) {
        guard let disk, let store = store as? DiskResponseStore else {
            return await removeQuietly(removal, names)
        }
        switch removal {
        case .url(let url):
            try await store.remove(url)
            for name in names { try await store.remove(named: name) }
        case .key(let key): try await store.remove(named: key)
        case .group: break
        case .all: try await disk.removeAll()
        }
    }

    private func removeQuietly(_ removal: Removal, _ names: Set<String>) async {
        switch removal {
        case .url(let url):
            await store.removeAll(for: url)
            for name in names { await store.removeAll(named: name) }
        case .key(let key): await store.removeAll(named: key)
        case .group: break
        case .all: await store.removeAll()
        }
    }
}
