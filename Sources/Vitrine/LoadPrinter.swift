import Glibc
public import VitrineStorage

/// Prints the stages of loads, each with the time that it took, a line each.
///
/// ```swift
/// configuration.observer = LoadPrinter()
/// ```
///
/// ```
/// load 1: cache look-up ended after 0.3 ms, https://example.org/a.jpg
/// load 1: queue ended after 0.0 ms, https://example.org/a.jpg
/// load 1: transfer ended after 41.7 ms, network, status 200, 48213 bytes, https://example.org/a.jpg
/// load 1: decode ended after 3.1 ms, 48213 bytes, 640 × 480, https://example.org/a.jpg
/// load 1: load ended after 46.0 ms, network, status 200, 48213 bytes, 640 × 480, https://example.org/a.jpg
/// ```
///
/// URLs are shown without user info, and with `…` for the values of their queries. What befalls a disk
/// cache is printed too.
public struct LoadPrinter: LoadObserver {
    private let printsBeginnings: Bool
    private let printLine: @Sendable (String) -> Void

    /// A printer to standard error, or to where `printLine` puts a line.
    ///
    /// - Parameters:
    ///   - printsBeginnings: whether a line tells of the start of a stage too, `load 1: decode began, …`.
    ///   - printLine: is given one line without its end, on the thread on which it happened; it may be
    ///     called by several at once, and must not block.
    public init(
        printsBeginnings: Bool = false,
        printLine: @escaping @Sendable (_ line: String) -> Void = Self.printToStandardError
    ) {
        self.printsBeginnings = printsBeginnings
        self.printLine = printLine
    }

    /// Prints it.
    public func observe(_ event: LoadEvent) {
        if case .began = event.moment, !printsBeginnings { return }
        printLine(event.description)
    }

    /// Prints it.
    public func observe(_ event: DiskStore.Event, ofGroup group: String?) {
        let what: String
        switch event {
        case .unavailable(let error): what = "cannot be used: \(error)"
        case .available: what = "can be used again"
        case .folderVanished: what = "has lost its folder, and goes on with what is there now"
        case .indexReplaced(let reason, _): what = "has a new index: \(reason)"
        // Not told of a loader's caches.
        case .inserted, .updated, .removed, .emptied: return
        }
        printLine("disk cache\(group.map { " of the group \($0)" } ?? ""): \(what)")
    }

    /// Writes a line to standard error, at once where the system lets it, so that those of several threads
    /// do not mix. What cannot be written is lost.
    public static func printToStandardError(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
