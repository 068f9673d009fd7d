import Glibc

/// Threads of the package's own, for what blocks.
package enum BackgroundThread {
    /// Starts a thread, which nobody waits for; false if the system gives none.
    ///
    /// - Parameters:
    ///   - name: what a debugger, `top` and `/proc` show; at most 15 bytes count.
    ///   - body: what the thread does. All that it captures lives until it returns.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(ThreadWork(name: name, body: body)).toOpaque()
        guard pthread_create(&thread, nil, runThread, argument) == 0 else {
            Unmanaged<ThreadWork>.fromOpaque(argument).release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

/// What a thread is started with.
private final class ThreadWork: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue()
    nameThisThread(work.name)
    work.body()
    return nil
}

/// `pthread_setname_np` is not visible from Swift, so this writes the file behind it.
private func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var name = String(name.prefix(15))
    _ = name.withUTF8 { write(file, $0.baseAddress, $0.count) }
}
