public import FoundationEssentials

/// Why a disk store could not do what was asked.
///
/// Broken or foreign files are no errors: the store puts them aside and starts anew. After any of
/// these the store stays usable; the next call tries again.
public enum DiskStoreError: Error, Sendable, Hashable {
    /// The folder or the index in it can be neither opened nor made.
    case cannotOpen(path: String, reason: String)
    /// The index was made by a newer version of this library, in a format that this one does not
    /// know. It is left as it is; calls fail until it is gone.
    case newerFormat(path: String, found: Int, supported: Int)
    /// The file system has no space left.
    case full(path: String)
    /// The folder is on a file system, or has permissions, that allow no writing.
    case readOnly(path: String)
    /// The entry alone would pass the store's bound; both numbers are bytes.
    case tooLarge(bytes: Int, limit: Int)
    /// The entry needs so many bytes and the store has fewer available, of the limit that is its
    /// bound: the rest is taken by entries that may not be evicted, or by writes under way.
    case noRoom(bytes: Int, available: Int, limit: Int)
    /// Another process kept the index locked for longer than the store waits.
    case busy(path: String)
    /// Reading or writing failed.
    case io(path: String, reason: String)
}

extension DiskStoreError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "The disk store at \(path) cannot be opened: \(reason)."
        case .newerFormat(let path, let found, let supported):
            "The disk store at \(path) has format \(found), which a newer version has made; this one "
                + "knows formats up to \(supported)."
        case .full(let path):
            "There is no space left for the disk store at \(path)."
        case .readOnly(let path):
            "The disk store at \(path) cannot be written to: it is read-only."
        case .tooLarge(let bytes, let limit):
            "An entry of \(grouped(bytes)) bytes is larger than the disk store's bound of "
                + "\(grouped(limit)) bytes."
        case .noRoom(let bytes, let available, let limit):
            "An entry needs \(grouped(bytes)) bytes, and of the disk store's \(grouped(limit)) bytes "
                + "only \(grouped(available)) are free."
        case .busy(let path):
            "The disk store at \(path) is locked by another process."
        case .io(let path, let reason):
            "Reading or writing \(path) for the disk store failed: \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

/// The number with a comma between thousands, in every locale.
private func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
        if index > 0, index.isMultiple(of: 3) { text = "," + text }
        text = "\(digit)" + text
    }
    return number < 0 ? "-" + text : text
}
