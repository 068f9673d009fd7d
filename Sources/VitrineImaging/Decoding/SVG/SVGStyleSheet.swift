/// A style sheet or the value of a `style` attribute, written anew from what is understood of it (CSS
/// Syntax Module Level 3, without escapes).
struct SVGStyleSheet {
    /// The rules as they are handed on.
    private(set) var text = ""
    private(set) var selectorCount = 0
    /// What elements refer to because of a class or an id: `.name` and `#name`.
    private(set) var references: [String: [SVGProperties.Reference]] = [:]
    private(set) var dashes = 0.0
    private(set) var hasVectorEffect = false
    private(set) var enlargement = 1.0

    /// - Throws: ``SVGRefusal``'s reasons.
    init(_ source: String) throws(ImagingError) {
        guard !source.utf8.contains(UInt8(ascii: "\\")) else { throw .svgRefused(.styleEscape) }
        var rest = Self.withoutComments(source)[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" || $0 == "}" }
            if rest.isEmpty { return }
            if rest.hasPrefix("<!--") || rest.hasPrefix("-->") {
                rest = rest.dropFirst(rest.hasPrefix("<") ? 4 : 3)
            } else if rest.hasPrefix("@") {
                if rest.prefix(7).lowercased() == "@import" { throw .svgRefused(.styleRule) }
                rest = Self.behindAtRule(rest)
            } else {
                guard let open = rest.firstIndex(of: "{"),
                    let close = rest[open...].firstIndex(of: "}")
                else { return }
                let body = rest[rest.index(after: open)..<close]
                guard !body.contains("{") else { throw .svgRefused(.styleRule) }
                try add(selectors: String(rest[..<open]), body)
                rest = rest[rest.index(after: close)...]
            }
        }
    }

    private mutating func add(selectors: String, _ body: Substring) throws(ImagingError) {
        var properties = SVGProperties()
        let declarations = try Self.declarations(body, into: &properties)
        let list = selectors.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).trimmed }
        // Others mean a state that a still picture is not in, or are rare.
        let known = list.filter { selector in
            !selector.isEmpty
                && selector.unicodeScalars.allSatisfy { scalar in
                    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                        || " .#-_*>\n\t\r".unicodeScalars.contains(scalar)
                }
        }
        guard !known.isEmpty, !declarations.isEmpty else { return }
        for selector in known {
            let parts = selector.split { $0.isWhitespace || $0 == ">" }
            guard parts.count <= 8 else { throw .svgRefused(.styleRule) }
            selectorCount += 1
            // A reference counts for each element that it applies to, so those must be known.
            let targets = properties.references.filter { $0.use != .paint }
            guard !targets.isEmpty else { continue }
            let isName = selector.hasPrefix(".") || selector.hasPrefix("#")
            guard isName, parts.count == 1,
                !selector.dropFirst().contains(where: { ".#*".contains($0) })
            else { throw .svgRefused(.styleRule) }
            references[selector, default: []] += targets
        }
        dashes = max(dashes, properties.dashes ?? 0)
        hasVectorEffect = hasVectorEffect || properties.hasVectorEffect
        // It may apply to any number of elements that lie in each other.
        if properties.enlargement > 1 { enlargement = .infinity }
        text += "\(known.joined(separator: ",")){\(declarations)}\n"
    }

    /// The declarations that are understood, `name:value;` each.
    static func declarations(
        _ body: Substring, into properties: inout SVGProperties
    ) throws(ImagingError) -> String {
        guard !body.utf8.contains(UInt8(ascii: "\\")) else { throw .svgRefused(.styleEscape) }
        var text = ""
        for declaration in withoutComments(String(body)).split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let name = String(declaration[..<colon]).trimmed.lowercased()
            var value = String(declaration[declaration.index(after: colon)...]).trimmed
            let isImportant = value.lowercased().hasSuffix("important")
            if isImportant, let mark = value.lastIndex(of: "!") {
                value = String(value[..<mark]).trimmed
            }
            guard !value.isEmpty, !value.contains("{"), !value.contains("}"),
                let written = try properties.add(name, value)
            else { continue }
            text += "\(name):\(written)\(isImportant ? " !important" : "");"
        }
        return text
    }

    /// A comment stands for a blank, so that it joins nothing.
    private static func withoutComments(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "*")) else { return text }
        var result: [UInt8] = []
        var isComment = false
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if isComment {
                if bytes[index] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                    isComment = false
                    index += 1
                }
            } else if bytes[index] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                isComment = true
                result.append(0x20)
                index += 1
            } else {
                result.append(bytes[index])
            }
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// What follows an at-rule, which ends with a block or a semicolon.
    private static func behindAtRule(_ text: Substring) -> Substring {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth <= 0 { return text[text.index(after: index)...] }
            case ";" where depth == 0: return text[text.index(after: index)...]
            default: break
            }
        }
        return text[text.endIndex...]
    }
}
