/// What a load is for; it decides where its result is kept, and is no part of what is shared.
enum LoadPurpose: Sendable {
    /// Somebody waits for the picture.
    case use
    /// Somebody may want it later, from memory.
    case prefetchToMemory
    /// Somebody may want it later, from disk; the picture itself is not made.
    case prefetchToDisk

    /// Whether the picture is looked for, and kept, in memory.
    var keepsInMemory: Bool { self != .prefetchToDisk }
}
