public import FoundationEssentials
import Glibc
import VitrineBase

/// A body that is written once and read by many, each from its start and at its own pace, while it
/// is still being written.
///
/// It is in memory up to a limit, then in a temporary file of mode 0600, which is gone with the
/// spool, or with the process. Where no file can be written (a full disk, a folder that is gone) it
/// goes on in memory. A slow reader never holds up the writer; only a slow disk does. There is one
/// writer: whoever calls ``append(_:)``, ``finish()`` and ``fail(_:)``.
public final class BodySpool: Sendable {
    private struct State: Sendable {
        var memory = Data()
        var file: SpoolFile?
        var count = 0
        var isWriting = false
        var memoryLimit: Int
        var end: Result<Void, TransportError>?
        var waiters: [OneShot<Void>] = []

        /// Those who wait for more bytes or the end, to be woken outside the lock.
        mutating func takeWaiters() -> [OneShot<Void>] {
            defer { waiters = [] }
            return waiters
        }
    }

    /// The longest chunk that a reader gets from the file.
    private static let readSize = 256 << 10
    private static let pool = BlockingPool(name: "vitrine-spool", threads: 2)

    private let state: Lock<State>
    private let directory: String

    /// An empty spool.
    ///
    /// - Parameters:
    ///   - memoryLimit: The most bytes kept in memory, as long as the disk takes the others.
    ///   - directory: Where the temporary file is made; nil is `$TMPDIR`, or `/tmp`. A store that
    ///     adopts the file by renaming it gives a folder of its own file system.
    public init(memoryLimit: Int = 256 << 10, directory: String? = nil) {
        state = Lock(State(memoryLimit: max(0, memoryLimit)))
        self.directory = directory ?? Self.systemDirectory
    }

    /// A body that is there already, and complete.
    public convenience init(_ bytes: Data) {
        self.init(memoryLimit: bytes.count)
        state.withLock { state in
            state.memory = bytes
            state.count = bytes.count
            state.end = .success(())
        }
    }

    private static var systemDirectory: String {
        let named = getenv("TMPDIR").flatMap { String(validatingCString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// The bytes written so far.
    public var count: Int { state.withLock { $0.count } }

    // MARK: Writing

    /// Adds bytes at the end; readers that wait get them.
    ///
    /// Does not suspend while the body stays in memory.
    ///
    /// - Throws: ``TransportError/storage(reason:)`` if the body had ended already, or if what was
    ///   written can neither be continued nor read back; the error of ``fail(_:)`` if that was called before;
    ///   ``TransportError/cancelled`` if the task was cancelled before the bytes were written, and
    ///   then they are not in the spool.
    public func append(_ chunk: Data) async throws(TransportError) {
        guard !chunk.isEmpty else { return }
        enum Step: Sendable {
            case done([OneShot<Void>])
            case write(SpoolFile?, before: Data, at: Int)
            case refuse(TransportError)
        }
        let step = state.withLock { state -> Step in
            if case .failure(let error) = state.end { return .refuse(error) }
            guard case .none = state.end, !state.isWriting else {
                return .refuse(.storage(reason: "the body had ended or has a second writer"))
            }
            if state.file == nil, chunk.count <= state.memoryLimit - state.count {
                // Most bodies come as one chunk, which need not be copied.
                if state.memory.isEmpty { state.memory = chunk } else { state.memory.append(chunk) }
                state.count += chunk.count
                return .done(state.takeWaiters())
            }
            state.isWriting = true
            return .write(state.file, before: state.memory, at: state.count)
        }
        switch step {
        case .done(let waiters): waiters.forEach { $0.fulfil(()) }
        case .refuse(let error): throw error
        case .write(let file, let before, let offset):
            let directory = self.directory
            let result = await onPool { () throws(TransportError) in
                try Self.store(chunk, at: offset, after: before, in: file, or: directory)
            }
            let waiters = state.withLock { state in
                state.isWriting = false
                switch result {
                case .success(let place):
                    state.file = place.file
                    state.memory = place.memory
                    state.count = offset + chunk.count
                    if place.file == nil { state.memoryLimit = .max }
                case .failure(.cancelled): break
                case .failure(let error):
                    if case .none = state.end { state.end = .failure(error) }
                }
                return state.takeWaiters()
            }
            waiters.forEach { $0.fulfil(()) }
            _ = try result.get()
        }
    }

    /// Writes the chunk to the file, or to a new one after what was in memory; if the disk does not
    /// take it, brings everything back into memory. Blocks.
    private static func store(
        _ chunk: Data, at offset: Int, after memory: Data, in file: SpoolFile?,
        or directory: String
    ) throws(TransportError) -> (file: SpoolFile?, memory: Data) {
        do throws(TransportError) {
            let target = if let file { file } else { try SpoolFile(directory: directory) }
            if file == nil { try target.write(memory, at: 0) }
            try target.write(chunk, at: offset)
            return (target, Data())
        } catch {
            let head = if let file { try file.read(at: 0, count: offset) } else { memory }
            return (nil, head + chunk)
        }
    }

    /// Says that the body is complete.
    public func finish() { end(.success(())) }

    /// Says that the body will not be complete; readers get the error after the bytes that are there.
    public func fail(_ error: TransportError) { end(.failure(error)) }

    private func end(_ result: Result<Void, TransportError>) {
        let waiters = state.withLock { state in
            if case .none = state.end { state.end = result }
            return state.takeWaiters()
        }
        waiters.forEach { $0.fulfil(()) }
    }

    // MARK: Reading

    /// A new reader, from the first byte, which keeps the spool alive.
    public func reader() -> HTTP.Body {
        let offset = Lock(0)
        return HTTP.Body(next: { () async throws(TransportError) -> Data? in
            guard let chunk = try await self.chunk(at: offset.withLock { $0 }) else { return nil }
            offset.withLock { $0 += chunk.count }
            return chunk
        })
    }

    /// The whole body; waits for its end.
    ///
    /// - Throws: the error with which it ended; ``TransportError/cancelled``.
    public func bytes() async throws(TransportError) -> Data {
        while true {
            let (end, memory, file, count) = state.withLock {
                ($0.end, $0.memory, $0.file, $0.count)
            }
            guard let end else {
                try await waitForChange(after: count)
                continue
            }
            try end.get()
            guard let file else { return memory }
            return try await onPool { () throws(TransportError) in
                try file.read(at: 0, count: count)
            }.get()
        }
    }

    /// So many of the bytes from `offset` on, all of which have been written; fewer if they have not.
    package func bytes(
        from offset: Int, count: Int
    ) async throws(TransportError) -> Data {
        let (memory, file, written) = state.withLock { state in
            let isThere = state.file == nil && offset >= 0 && offset < state.count
            let part = isThere ? Data(state.memory.dropFirst(offset).prefix(max(0, count))) : Data()
            return (part, state.file, state.count)
        }
        guard let file else { return memory }
        let length = min(count, written - offset)
        guard offset >= 0, length > 0 else { return Data() }
        return try await onPool { () throws(TransportError) in
            try file.read(at: offset, count: length)
        }.get()
    }

    private func chunk(at offset: Int) async throws(TransportError) -> Data? {
        while true {
            let (end, memory, file, count) = state.withLock { state in
                // Only what is new, so that the writer's next append need not copy all of it.
                let rest =
                    state.file == nil && offset < state.count
                    ? Data(state.memory.dropFirst(offset)) : Data()
                return (state.end, rest, state.file, state.count)
            }
            if offset < count {
                guard let file else { return memory }
                return try await onPool { () throws(TransportError) in
                    try file.read(at: offset, count: min(count - offset, Self.readSize))
                }.get()
            }
            if let end {
                try end.get()
                return nil
            }
            try await waitForChange(after: count)
        }
    }

    private func waitForChange(after count: Int) async throws(TransportError) {
        let waiter = OneShot<Void>()
        let mustWait = state.withLock { state in
            guard state.count == count, case .none = state.end else { return false }
            state.waiters.append(waiter)
            return true
        }
        guard mustWait else { return }
        await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            waiter.fulfil(())
        }
        guard Task.isCancelled else { return }
        state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        throw .cancelled
    }

    // MARK: The file

    /// Whether the body is complete and has gone to a temporary file.
    package var isInFile: Bool {
        state.withLock { state in
            guard case .success = state.end else { return false }
            return state.file != nil
        }
    }

    /// Leaves the temporary file to the caller, who may rename or remove it; open readers go on.
    ///
    /// Returns its path, once the body is complete; nil if it has no file, or was asked before. Its
    /// name is new: until then the file has none, where the file system allows that.
    public func relinquishFile() async -> String? {
        let file = state.withLock { state -> SpoolFile? in
            guard case .success = state.end else { return nil }
            return state.file
        }
        guard let file else { return nil }
        return try? await onPool { file.giveAway() }.get()
    }

    private func onPool<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TransportError) -> Value
    ) async -> Result<Value, TransportError> {
        do {
            return .success(try await Self.pool.run { try body() })
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .failure(.cancelled)
        }
    }
}
