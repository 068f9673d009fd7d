/// Numbers in the attributes of shapes, as far as a bound of their cost needs them.
enum SVGNumbers {
    /// What a path or a list of points can cost at most.
    struct Outline: Equatable {
        /// How often a horizontal line can cross it.
        var edges = 0.0
        /// How long it is at most, in its own units.
        var length = 0.0
        /// The greatest of its numbers.
        var reach = 0.0
    }

    /// A path's data (SVG 2, 9.3). Where flags stand without separators fewer numbers are seen, which
    /// is allowed for.
    static func path(_ text: String) -> Outline {
        var result = Outline()
        var command = UInt8(ascii: "M")
        var sum = 0.0
        var jumps = 0.0
        read(text) { letter in
            command = letter | 0x20
            if command == UInt8(ascii: "z") {
                result.edges += 1
                jumps += 1
            }
        } number: { value in
            switch command {
            case UInt8(ascii: "h"), UInt8(ascii: "v"): result.edges += 1
            case UInt8(ascii: "c"): result.edges += 2.5 / 6
            case UInt8(ascii: "s"), UInt8(ascii: "q"): result.edges += 2.5 / 4
            case UInt8(ascii: "t"): result.edges += 1
            case UInt8(ascii: "a"): result.edges += 1
            default: result.edges += 0.5
            }
            result.reach = max(result.reach, value.magnitude)
            // A line goes from one point to another, so that each counts twice; an arc is longer than
            // its radius.
            sum += value.magnitude * (command == UInt8(ascii: "a") ? 14 : 2)
        }
        // A closed part may jump from its start, which nothing has counted.
        result.length = sum + jumps * sum
        return result
    }

    /// The points of a polygon or polyline.
    static func points(_ text: String) -> Outline {
        var result = Outline(edges: 1)
        read(text) { _ in
        } number: { value in
            result.edges += 0.5
            result.length += value.magnitude * 4
            result.reach = max(result.reach, value.magnitude)
        }
        return result
    }

    /// Gives `letter` each letter that is no part of a number, and `number` each number.
    private static func read(
        _ text: String, letter: (UInt8) -> Void, number: (Double) -> Void
    ) {
        var text = text
        text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                let start = index
                var hasDot = false
                var hasDigits = false
                scan: while index < bytes.count {
                    switch bytes[index] {
                    case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigits = true
                    case UInt8(ascii: "+"), UInt8(ascii: "-"):
                        if index > start { break scan }
                    case UInt8(ascii: "."):
                        if hasDot { break scan }
                        hasDot = true
                    case UInt8(ascii: "e"), UInt8(ascii: "E"):
                        guard hasDigits, index + 1 < bytes.count else { break scan }
                        index += 1
                        if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
                            index += 1
                        }
                        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
                            index += 1
                        }
                        break scan
                    default: break scan
                    }
                    index += 1
                }
                if index > start {
                    guard hasDigits else { continue }
                    let digits = bytes[start..<index]
                    number(Double(String(decoding: digits, as: UTF8.self)) ?? .infinity)
                } else {
                    if (0x41...0x5A).contains(bytes[index] & 0xDF) { letter(bytes[index]) }
                    index += 1
                }
            }
        }
    }

    /// A length in pixels (CSS Values and Units Module Level 3, 6.2); nil for none, a percentage and
    /// what is no positive number.
    static func length(_ text: String?) -> Double? {
        guard let text = text?.trimmed.lowercased() else { return nil }
        let units: [(String, Double)] = [
            ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("mm", 96 / 25.4), ("cm", 96 / 2.54),
            ("in", 96), ("em", 16), ("ex", 8),
        ]
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = unit == nil ? text[...] : text.dropLast(2)
        guard let number = Double(String(digits).trimmed), number.isFinite, number > 0 else {
            return nil
        }
        return number * (unit?.1 ?? 1)
    }

    /// By how much a list of transformations may enlarge (CSS Transforms Module Level 1, 8).
    static func enlargement(_ text: String) -> Double {
        var product = 1.0
        for function in text.lowercased().split(separator: ")") {
            guard let open = function.firstIndex(of: "(") else { continue }
            let numbers = list(String(function[function.index(after: open)...]))
            let name = String(function[..<open]).trimmed
            let counted: ArraySlice<Double>?
            if name.hasSuffix("scale") {
                counted = numbers?[...]
            } else if name.hasSuffix("matrix") {
                counted = numbers?.prefix(4)
            } else if name.hasSuffix("translate") || name.hasSuffix("rotate") {
                continue
            } else {
                counted = nil
            }
            guard let largest = counted?.map(\.magnitude).max() else { return .infinity }
            product *= max(1, largest)
        }
        return product
    }

    /// The numbers of a list; nil if something else stands in it.
    static func list(_ text: String) -> [Double]? {
        var numbers: [Double] = []
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let number = Double(part), number.isFinite, numbers.count < 16 else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
