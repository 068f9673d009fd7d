import CGTK

/// What GLib and GTK call critical, which is how they take a pointer to what is gone.
@MainActor enum Criticals {
    /// How many there were while `body` ran; they are not printed.
    static func count(_ body: () async throws -> Void) async throws -> Int {
        let found = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        found.initialize(to: 0)
        defer { found.deallocate() }
        g_log_set_default_handler(
            { domain, level, message, found in
                guard level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0, let found else {
                    return g_log_default_handler(domain, level, message, nil)
                }
                found.assumingMemoryBound(to: Int.self).pointee += 1
            }, found)
        defer { g_log_set_default_handler(g_log_default_handler, nil) }
        try await body()
        return found.pointee
    }
}
