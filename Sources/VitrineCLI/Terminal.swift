import FoundationEssentials
import Glibc
import VitrineBase

/// Standard output and standard error, and whether a person sits behind them.
///
/// On a terminal a status line is kept at the bottom and redrawn; anywhere else it is left out.
final class Terminal: Sendable {
    private let status = Lock("")
    private let showsStatus: Bool

    init(showsStatus: Bool? = nil) {
        let term = getenv("TERM").map { String(cString: $0) } ?? ""
        self.showsStatus = showsStatus ?? (isatty(2) == 1 && term != "dumb")
    }

    /// One line, or several, of results on standard output.
    func say(_ text: String) { print(text, to: 1) }

    /// One line, or several, on standard error.
    func complain(_ text: String) { print(text, to: 2) }

    /// Replaces the status line; the empty text removes it.
    func show(status text: String) {
        guard showsStatus else { return }
        status.withLock { current in
            guard current != text else { return }
            current = text
            Self.write(Self.clearLine + fitting(text), to: 2)
        }
    }

    private static let clearLine = "\r\u{1B}[2K"

    private func print(_ text: String, to file: Int32) {
        status.withLock { current in
            if !current.isEmpty { Self.write(Self.clearLine, to: 2) }
            Self.write(text + "\n", to: file)
            if !current.isEmpty { Self.write(fitting(current), to: 2) }
        }
    }

    /// A line that is wider than the terminal would break and could not be removed.
    private func fitting(_ text: String) -> String {
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return String(text.prefix(isKnown ? Int(size.ws_col) - 1 : 79))
    }

    private static func write(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// Sizes and times as people read them.
enum Readable {
    /// `950 bytes`, `12.3 KB`, `4.5 MB`, in powers of 1000.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count)
        for unit in ["KB", "MB", "GB"] {
            value /= 1000
            if value < 999.95 || unit == "GB" { return "\(tenths(value)) \(unit)" }
        }
        return "\(count) bytes"
    }

    /// `0.4 ms`, `120 ms`, `3.4 s`.
    static func time(_ duration: Duration) -> String {
        let seconds = self.seconds(duration)
        if seconds < 0.01 { return "\(tenths(seconds * 1000)) ms" }
        if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
        return "\(tenths(seconds)) s"
    }

    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }
}
