public import Glibc

/// A value behind a `pthread_mutex`.
///
/// Not `Synchronization.Mutex`: ThreadSanitizer on Linux cannot see its futex and reports every use
/// as a race. Not recursive; never call out to foreign code while holding it. Inlinable, since a call
/// of an unspecialized generic from another module costs several times what the mutex does. The value
/// lies behind a pointer, where no access to it is checked for overlapping another one at run time: the
/// mutex sees to that.
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {
    // Unchecked because the compiler cannot know that `value` is only touched under `mutex`.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable package init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` alone with the value; returns what it returns.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
