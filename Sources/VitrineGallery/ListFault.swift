import Vitrine

/// Why bytes are no list of pictures.
enum ListFault: Equatable, CustomStringConvertible {
    /// They are a picture themselves.
    case picture(RasterFormat)
    case control(UInt8, line: Int)
    case notUTF8(line: Int)

    /// Nil if they may be one: UTF-8 without control characters.
    init?(in bytes: [UInt8]) {
        // A list may begin with what would also begin an SVG.
        let format = bytes.withUnsafeBytes { RasterFormat(sniffing: $0) }
        if let format, format != .svg {
            self = .picture(format)
            return
        }
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            if let control = line.first(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) {
                self = .control(control, line: number)
                return
            }
            if String(validating: line, as: UTF8.self) == nil {
                self = .notUTF8(line: number)
                return
            }
        }
        return nil
    }

    /// What follows "it is no list: ".
    var description: String {
        switch self {
        case .picture(let format): return "it is a picture itself, \(format)"
        case .control(let byte, let line):
            let digits = String(byte, radix: 16, uppercase: true)
            return "line \(line) has the byte 0x\(byte < 16 ? "0" : "")\(digits) in it"
        case .notUTF8(let line): return "line \(line) is not UTF-8"
        }
    }
}
