import FoundationEssentials
import Glibc
import VitrineBase

/// Standard output and standard error, and whether a person sits behind them.
///
/// On a terminal a status line is kept at the bottom and redrawn; anywhere else it is left out.
final class Terminal: Sendable {
    private let status = Lock("")
    private let failure = Lock<String?>(nil)
    /// Whether there is a status line.
    let showsStatus: Bool

    init(showsStatus: Bool? = nil) {
        let term = getenv("TERM").map { String(cString: $0) } ?? ""
        self.showsStatus = showsStatus ?? (isatty(2) == 1 && term != "dumb")
    }

    /// Why results could not be written, if that happened.
    var outputFailure: String? { failure.withLock { $0 } }

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

    /// What commands the terminal, as it is, on standard output. No text of others may be in it.
    func paint(_ text: String) { write(text, to: 1) }

    private func print(_ text: String, to file: Int32) {
        write(Self.harmless(text) + "\n", to: file)
    }

    private func write(_ text: String, to file: Int32) {
        status.withLock { current in
            if !current.isEmpty { Self.write(Self.clearLine, to: 2) }
            let code = Self.write(text, to: file)
            if code != 0, file == 1 {
                failure.withLock { $0 = $0 ?? String(cString: strerror(code)) }
            }
            if !current.isEmpty { Self.write(fitting(current), to: 2) }
        }
    }

    /// A line that is wider than the terminal would break and could not be removed.
    private func fitting(_ text: String) -> String {
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return String(text.prefix(isKnown ? Int(size.ws_col) - 1 : 79))
    }

    /// The text with control characters as `\u001b`, lest what a server or a list says command the
    /// terminal. Within JSON that means the same.
    static func harmless(_ text: String) -> String {
        func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0: true
            default: false
            }
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isHarmful(scalar) else {
                result.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            result +=
                "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
        return String(result)
    }

    /// Returns the number of the system's error, or 0.
    @discardableResult
    private static func write(_ text: String, to file: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Somebody else has made it non-blocking.
                var wanted = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, 1000)
                continue
            }
            guard count > 0 else { return count < 0 ? errno : EIO }
            bytes = bytes.dropFirst(count)
        }
        return 0
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

    /// `40 s`, `3 min`, `5 h`, `12 days`, `2 years`, rounded down; less than nothing is `0 s`.
    static func span(_ seconds: Int) -> String {
        for (length, unit) in [(31_557_600, "year"), (86_400, "day")] where seconds >= length {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        for (length, unit) in [(3600, "h"), (60, "min")] where seconds >= length {
            return "\(seconds / length) \(unit)"
        }
        return "\(max(0, seconds)) s"
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
