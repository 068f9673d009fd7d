import VitrineBase

/// Whether what a load has found may still be kept: not after a removal that came meanwhile, lest the
/// load put back what was removed.
final class KeepPermit: Sendable {
    private struct State {
        var isRevoked = false
        var writes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State())
    private let permits: KeepPermits

    fileprivate init(in permits: KeepPermits) { self.permits = permits }

    deinit { permits.forget(ObjectIdentifier(self)) }

    /// Whether it holds.
    var isValid: Bool { state.withLock { !$0.isRevoked } }

    /// Writes something to a store, unless the permit was revoked; false then, and where the writing
    /// failed.
    func write(_ body: @Sendable () async -> Bool) async -> Bool {
        let mayWrite = state.withLock { state in
            guard !state.isRevoked else { return false }
            state.writes += 1
            return true
        }
        guard mayWrite else { return false }
        let isWritten = await body()
        let waiting = state.withLock { state in
            state.writes -= 1
            guard state.writes == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
        return isWritten
    }

    /// Nothing is begun to be written from now on.
    func revoke() { state.withLock { $0.isRevoked = true } }

    /// Suspends until nothing is being written.
    func waitForWrites() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.writes == 0 { return true }
                state.waiting.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}

/// The permits of the loads that may still keep something, by what they load.
final class KeepPermits: Sendable {
    private struct Entry {
        weak var permit: KeepPermit?
        let source: SourceIdentity
    }
    private let entries = Lock([ObjectIdentifier: Entry]())

    /// A permit for a load; it counts until nobody holds it any more.
    func permit(for source: SourceIdentity) -> KeepPermit {
        let permit = KeepPermit(in: self)
        let id = ObjectIdentifier(permit)
        entries.withLock { $0[id] = Entry(permit: permit, source: source) }
        return permit
    }

    fileprivate func forget(_ id: ObjectIdentifier) {
        let entry = entries.withLock { $0.removeValue(forKey: id) }
        withExtendedLifetime(entry) {}  // it may be the last to hold a store
    }

    /// Revokes those of the loads that are meant, and returns them.
    func revoke(where isMeant: (SourceIdentity) -> Bool) -> [KeepPermit] {
        let permits = entries.withLock { entries in
            entries.values.filter { isMeant($0.source) }.compactMap(\.permit)
        }
        for permit in permits { permit.revoke() }
        return permits
    }
}
