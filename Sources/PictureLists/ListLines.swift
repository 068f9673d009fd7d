/// The lines of a list, as its bytes come: a pure value.
///
/// A line names a picture. Blanks around it do not count, nor do empty lines and those that begin
/// with `#`, nor the mark that some editors put before UTF-8.
package struct ListLines {
    /// Why bytes are no list.
    package enum Fault: Error, Equatable {
        case control(UInt8, line: Int)
        case notUTF8(line: Int)
        case tooLong(line: Int)
    }

    /// The most bytes of a line: a long `data:` URL.
    package static let longestLine = 16_000_000

    /// What ended the list before its end; nothing is read after it.
    package private(set) var fault: Fault?
    private var line: [UInt8] = []
    private var number = 1
    private var lastWasReturn = false

    /// Of a list that begins.
    package init() {}

    /// The lines that these bytes bring to their end, up to a fault.
    package mutating func add(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes where fault == nil {
            switch byte {
            case 0x0A, 0x0D:
                // A return and a line feed together are one end.
                if byte == 0x0A, lastWasReturn { break }
                lines += end()
                number += 1
            case 0x09, 0x20...0x7E, 0x80...:
                line.append(byte)
                if line.count > Self.longestLine { fault = .tooLong(line: number) }
            default: fault = .control(byte, line: number)
            }
            lastWasReturn = byte == 0x0D
        }
        return lines
    }

    /// The last line, which need have no end.
    package mutating func end() -> [String] {
        defer { line.removeAll(keepingCapacity: line.count < 1 << 16) }
        guard fault == nil else { return [] }
        var text = line[...]
        if number == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard let decoded = String(validating: text, as: UTF8.self) else {
            fault = .notUTF8(line: number)
            return []
        }
        let trimmed = Self.trimmed(decoded)
        return trimmed.isEmpty || trimmed.hasPrefix("#") ? [] : [trimmed]
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension ListLines.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .control(let byte, let line):
            let digits = String(byte, radix: 16, uppercase: true)
            return "line \(line) has the byte 0x\(byte < 16 ? "0" : "")\(digits) in it"
        case .notUTF8(let line): return "line \(line) is not UTF-8"
        case .tooLong(let line):
            return "line \(line) has more than \(ListLines.longestLine / 1_000_000) MB"
        }
    }
}
