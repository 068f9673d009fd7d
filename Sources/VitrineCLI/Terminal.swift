import FoundationEssentials
import Glibc
import VitrineBase

/// Standard output and standard error, and whether a person sits behind them.
///
/// On a terminal a status line is kept at the bottom and redrawn; anywhere else it is left out.
final class Terminal: Sendable {
    private struct Status {
        var line = StatusLine([])
        var isOver = false
    }

    private let status = Lock(Status())
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

    /// One line on standard error that tells of an error, whatever is in it.
    func complain(of error: any Error) {
        complain("vitrine: \(Self.field(Self.shortened("\(error)")))")
    }

    /// Replaces the status line.
    func show(_ line: StatusLine) {
        guard showsStatus else { return }
        status.withLock { status in
            guard status.line != line, !status.isOver else { return }
            status.line = line
            Self.write(Self.clearLine + fitting(line), to: 2)
        }
    }

    /// Removes the status line, for good.
    func endStatus() {
        show(StatusLine([]))
        status.withLock { $0.isOver = true }
    }

    private static let clearLine = "\r\u{1B}[2K"

    /// What commands the terminal, as it is, on standard output. No text of others may be in it.
    ///
    /// - Parameter pieces: each leaves the terminal as it found it. No signal ends the program in the
    ///   midst of one; a pipe, which may be full for ever, takes them as they come.
    func paint(_ pieces: [String]) {
        let isTerminal = isatty(1) == 1
        for piece in pieces {
            if isTerminal {
                Interruption.withheld { write(piece, to: 1) }
            } else {
                write(piece, to: 1)
            }
        }
    }

    private func print(_ text: String, to file: Int32) {
        write(Self.harmless(text) + "\n", to: file)
    }

    private func write(_ text: String, to file: Int32) {
        status.withLock { status in
            if !status.line.isEmpty { Self.write(Self.clearLine, to: 2) }
            let code = Self.write(text, to: file)
            if code != 0, file == 1 {
                failure.withLock { $0 = $0 ?? String(cString: strerror(code)) }
            }
            if !status.line.isEmpty { Self.write(fitting(status.line), to: 2) }
        }
    }

    /// A line that is wider than the terminal would break and could not be removed.
    private func fitting(_ line: StatusLine) -> String {
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return line.text(columns: isKnown ? Int(size.ws_col) - 1 : 79)
    }

    /// The text with what commands a terminal as `\u001b`, lest what a server, a list or a file's name
    /// says does so. Within JSON that means the same. Tabs and ends of lines stay.
    static func harmless(_ text: String) -> String {
        escaped(text) { isHarmful($0) && $0 != "\t" && $0 != "\n" }
    }

    /// The text with its middle left out where it is longer than any path and URL that people read.
    static func shortened(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.count > 6000 else { return text }
        // A cut within a character goes to its beginning.
        return "\(text[..<bytes.index(bytes.startIndex, offsetBy: 2000)]) … "
            + text[bytes.index(bytes.endIndex, offsetBy: -1000)...]
    }

    /// What others have written, as a field of a line of ours: it begins neither another line nor
    /// another field.
    static func field(_ text: String) -> String { escaped(text, isHarmful) }

    /// Control characters, what ends a line, and what changes the direction of the text around it or
    /// cannot be seen, by which a name may look like another one.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func escaped(
        _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isEscaped(scalar) else {
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
