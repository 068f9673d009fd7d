public import FoundationEssentials

extension DiskStore {
    /// What a store tells its observers of.
    ///
    /// Only what this store does and notices: other stores and processes that share the folder tell
    /// their own observers.
    public enum Event: Sendable, Hashable {
        /// An entry was stored; what its key had before is told beforehand as removed.
        case inserted(key: String, size: Int, expiresAt: Date?)
        /// The metadata of an entry, or until when it may be read, was changed.
        case updated(key: String)
        /// An entry went.
        case removed(key: String, reason: RemovalReason)
        /// All entries went, because that was asked for.
        case emptied

        /// The index was broken or none of this store's, and an empty one has taken its place.
        ///
        /// `putAside` is where the old one lies now; nil if it was one of this store's own and too
        /// large to keep.
        case indexReplaced(reason: String, putAside: String?)
        /// The folder or the index in it was removed or exchanged by somebody else while the store
        /// was in use; it goes on with what is there now, or made anew.
        case folderVanished

        /// Calls fail for a reason that is not their own. Told once, until the store works again.
        case unavailable(DiskStoreError)
        /// Calls like the one that failed succeed again.
        case available
    }

    /// Why an entry went.
    public enum RemovalReason: Sendable, Hashable {
        /// Somebody asked for it.
        case asked
        /// Room was needed, or a pruning asked for less.
        case evicted
        /// Its time was over.
        case expired
        /// It did not match its checksums.
        case broken
        /// Another was to be stored under its key.
        case replaced
    }

    /// An observer's registration with a store.
    public final class Observation: Sendable {
        private let events: StoreEvents
        private let id: Int

        init(_ events: StoreEvents, _ id: Int) {
            self.events = events
            self.id = id
        }

        /// Ends the observation; a call that is under way goes on. A second time does nothing.
        public func cancel() { events.removeObserver(id) }
    }

    /// Tells `observer` what happens to the store from now on, until the observation is cancelled or
    /// the store is gone; letting the observation go does not end it.
    ///
    /// Events come one at a time, in the order in which they happened, on a thread of their own, soon
    /// after the call that caused them has its answer. A slow observer delays none but the others, and
    /// what it has not yet seen waits in memory. Nothing is gathered while nobody observes.
    @discardableResult
    public func observe(_ observer: @escaping @Sendable (Event) -> Void) -> Observation {
        Observation(events, events.addObserver(observer))
    }
}
