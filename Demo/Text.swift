import FoundationEssentials
import Glibc
import VitrineHTTP

/// Words and numbers as the demo prints them.
enum Text {
    /// A line on standard output.
    static func say(_ line: String = "") { write(line, to: 1) }

    /// A line on standard error.
    static func complain(_ line: String) { write(line, to: 2) }

    private static func write(_ line: String, to file: Int32) {
        var bytes = Array("\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// On a terminal bold, elsewhere as it is.
    static func bold(_ text: String) -> String {
        isatty(1) == 1 ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// On a terminal less bright, elsewhere as it is.
    static func dim(_ text: String) -> String {
        isatty(1) == 1 ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }

    static func left(_ text: String, _ width: Int) -> String {
        text.count > width
            ? text.prefix(width - 1) + "…"
            : text + String(repeating: " ", count: width - text.count)
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `1,234,567`.
    static func number(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(value).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }

    /// `27 pictures`, `1 picture`.
    static func count(_ value: Int, _ word: String) -> String {
        "\(number(value)) \(word)\(value == 1 ? "" : "s")"
    }

    /// `1.23 s`.
    static func seconds(_ duration: Duration) -> String { "\(fixed(seconds(duration), 2)) s" }

    static func milliseconds(_ value: Double) -> String { "\(number(Int(value.rounded()))) ms" }

    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    static func fixed(_ value: Double, _ digits: Int) -> String {
        let unit = [1, 10, 100, 1000][min(max(digits, 0), 3)]
        let scaled = Int((value * Double(unit)).rounded())
        guard unit > 1 else { return number(scaled) }
        let rest = String(scaled % unit)
        return number(scaled / unit) + "." + String(repeating: "0", count: digits - rest.count)
            + rest
    }

    /// The last part of a URL's or file's path, without what may be secret.
    static func name(of url: String) -> String {
        let shown = redact(url)
        let path = shown.prefix { $0 != "?" }
        guard let last = path.split(separator: "/").last else { return shown }
        return String(last + shown[path.endIndex...])
    }

    /// A URL for people: without user info and query values. A file's path stays as it is.
    static func url(_ text: String) -> String { text.contains(":") ? redact(text) : text }
}
