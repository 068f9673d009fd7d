/// Sixty-four bits that stand for a text where keeping it would take too much: of a million texts two
/// have the same with a probability of one to thirty million.
///
/// They are drawn anew in each run, so that nobody can write a list of texts that have the same.
enum Fingerprint {
    /// Of these very bytes.
    static func of(_ text: String) -> UInt64 {
        var text = text
        var hasher = Hasher()
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Of a file's name: equal for those that some file systems hold for equal, which see neither case
    /// nor how an accent is written.
    static func of(fileName name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name.lowercased())
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
