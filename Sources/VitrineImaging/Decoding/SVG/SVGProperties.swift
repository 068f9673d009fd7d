/// What the properties of an element or of a rule mean for its cost and its references.
struct SVGProperties {
    enum Use: Hashable {
        case clip
        case mask
        case marker
        case paint
    }

    struct Reference: Hashable {
        var use: Use
        var id: String
    }

    var references: [Reference] = []
    /// Dashes for each unit of length; nil if nothing is said.
    var dashes: Double?
    var hasVectorEffect = false
    var enlargement = 1.0

    /// Takes a property in; the value to be written, or nil if it is left out.
    mutating func add(
        _ name: String, _ value: String
    ) throws(ImagingError) -> String? {
        let text = value.trimmed
        guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw .svgRefused(.styleEscape) }
        switch name {
        case "filter":
            guard text == "none" || text.isEmpty else { throw .svgRefused(.filter) }
            return nil
        case "fill", "stroke": return try addReference(.paint, text)
        case "clip-path": return try addReference(.clip, text)
        case "mask": return try addReference(.mask, text)
        case "marker", "marker-start", "marker-mid", "marker-end":
            return try addReference(.marker, text)
        case "stroke-dasharray":
            dashes = max(dashes ?? 0, try Self.dashes(text))
            return text
        default:
            guard SVGNames.properties.contains(name) else { return nil }
            guard !text.lowercased().contains("url(") else { throw .svgRefused(.externalReference) }
            if name == "transform" { enlargement *= SVGNumbers.enlargement(text) }
            if name == "vector-effect", text != "none" { hasVectorEffect = true }
            return text
        }
    }

    private mutating func addReference(
        _ use: Use, _ text: String
    ) throws(ImagingError) -> String? {
        let lower = text.lowercased()
        guard lower.contains("url") else { return text }
        guard lower.hasPrefix("url("), let end = text.firstIndex(of: ")") else {
            throw .svgRefused(.externalReference)
        }
        let inside = String(text[text.index(text.startIndex, offsetBy: 4)..<end]).trimmed
        let id = try Self.localID(inside.unquoted)
        let fallback = String(text[text.index(after: end)...]).trimmed
        guard fallback.allSatisfy({ $0.isLetter || $0.isNumber || "#-(), .%".contains($0) }),
            !fallback.lowercased().contains("url")
        else { throw .svgRefused(.externalReference) }
        references.append(Reference(use: use, id: id))
        return fallback.isEmpty || use != .paint ? "url(#\(id))" : "url(#\(id)) \(fallback)"
    }

    /// What `#name` refers to within the file.
    static func localID(_ text: String) throws(ImagingError) -> String {
        guard text.hasPrefix("#"), text.count > 1 else { throw .svgRefused(.externalReference) }
        let id = text.dropFirst()
        guard id.allSatisfy({ !$0.isWhitespace && !"\"'()#\\".contains($0) }) else {
            throw .svgRefused(.externalReference)
        }
        return String(id)
    }

    private static func dashes(_ text: String) throws(ImagingError) -> Double {
        guard text != "none", text != "inherit", !text.isEmpty else { return 0 }
        var sum = 0.0
        var count = 0.0
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let number = part.hasSuffix("px") ? part.dropLast(2) : part
            guard let length = Double(number), length >= 0, length.isFinite else {
                throw .svgRefused(.tooComplex)
            }
            sum += length
            count += 1
        }
        return sum > 0 ? count / sum : 0
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        var part = self[...]
        while part.first?.isWhitespace == true { part.removeFirst() }
        while part.last?.isWhitespace == true { part.removeLast() }
        return String(part)
    }

    fileprivate var unquoted: String {
        guard count >= 2, let quote = first, quote == "\"" || quote == "'", last == quote else {
            return self
        }
        return String(dropFirst().dropLast())
    }
}
