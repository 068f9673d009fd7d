import CVips

/// What libvips said when a call failed.
///
/// Its error buffer belongs to the whole process: when several threads fail at once their texts can
/// mix, so the text is for people only and nothing is decided by it.
struct VipsFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// Takes the text that has gathered in the buffer, and empties it.
    static func take(after operation: String) -> VipsFailure {
        guard let buffer = cvips_error_buffer_copy()() else { return VipsFailure(operation) }
        defer { g_free(buffer) }
        let lines = String(cString: buffer).split(separator: "\n")
        guard let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            return VipsFailure(operation)
        }
        return VipsFailure(String(last.prefix(200)))
    }
}
