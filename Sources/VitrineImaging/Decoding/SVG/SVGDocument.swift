/// An SVG file, read once and written anew from what was understood: known elements, attributes and
/// properties, without what could bring something in from elsewhere.
struct SVGDocument {
    /// Where names of elements and attributes come from.
    private static let namespace = "http://www.w3.org/2000/svg"
    private static let linkNamespace = "http://www.w3.org/1999/xlink"
    static let mostBytes = 4_194_304
    static let mostElements = 50_000
    static let mostDeep = 64
    private static let mostNamespaces = 64

    /// The attributes of the outermost element, but for its size.
    private(set) var rootAttributes = ""
    /// What is in it.
    private(set) var body = ""
    private(set) var size: SVGSize
    private(set) var graph = SVGGraph()

    private struct Open {
        /// As it is written; nil if it is left out.
        var name: String?
        var tag: String
        var node: Int?
        var dashes: Double
        var isText: Bool
    }

    private struct Binding {
        let depth: Int
        let prefix: String
        let uri: String
    }

    private var bindings: [Binding] = []
    private var open: [Open] = []
    private var sheet: String?

    init(_ bytes: ByteReader) throws(ImagingError) {
        guard bytes.count <= Self.mostBytes else { throw .svgRefused(.tooManyBytes) }
        size = SVGSize(width: nil, height: nil, viewBox: nil)
        var scanner = try SVGScanner(bytes)
        var isOver = false
        while let token = try scanner.next() {
            switch token {
            case .start(let name, let attributes, let isEmpty):
                guard !isOver else { throw SVGScanner.malformed("it has two roots") }
                try start(name, attributes)
                if isEmpty { try end(name) }
            case .end(let name): try end(name)
            case .text(let text): try add(text)
            }
            isOver = open.isEmpty && graph.elementCount > 0
        }
        guard open.isEmpty else { throw .truncated(format: .svg) }
        guard isOver else { throw SVGScanner.malformed("it has no element") }
    }

    // MARK: - Elements

    private mutating func start(
        _ tag: String, _ attributes: [SVGScanner.Attribute]
    ) throws(ImagingError) {
        guard open.count < Self.mostDeep else { throw .svgRefused(.tooDeep) }
        guard graph.elementCount < Self.mostElements else { throw .svgRefused(.tooManyElements) }
        try bind(attributes)
        let (uri, name) = resolved(tag, isAttribute: false)
        let element =
            uri == Self.namespace ? SVGNames.element(name) : SVGNames.Element.leftOut
        guard let parent = open.last else {
            guard uri == Self.namespace, name == "svg" else {
                throw SVGScanner.malformed("its root is no svg element")
            }
            try startRoot(tag, attributes)
            return
        }
        let node = graph.add(parent: parent.node)
        var entry = Open(
            name: nil, tag: tag, node: node, dashes: parent.dashes, isText: parent.isText)
        switch element {
        case _ where parent.name == nil || parent.node == nil || sheet != nil: entry.node = nil
        case .leftOut: entry.node = nil
        case .image: throw .svgRefused(.embeddedImage)
        case .pattern:
            // It may be there for nothing; only its use is refused.
            graph.markPattern(id: attributes.first { $0.name == "id" }?.value)
            entry.node = nil
        case .styleSheet:
            sheet = ""
            entry.name = "style"
        default:
            entry.name = name
            if case .text = element { entry.isText = true }
            let written = try write(attributes, of: name, element, node: node, &entry.dashes)
            body += "<\(name)\(written)>"
        }
        open.append(entry)
    }

    private mutating func startRoot(
        _ tag: String, _ attributes: [SVGScanner.Attribute]
    ) throws(ImagingError) {
        let node = graph.add(parent: nil)
        var dashes = 0.0
        var style: [String: String] = [:]
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        for declaration in (value("style") ?? "").split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { style[String(parts[0]).trimmed] = String(parts[1]) }
        }
        size = SVGSize(
            width: style["width"] ?? value("width"), height: style["height"] ?? value("height"),
            viewBox: value("viewBox"))
        let own: Set<String> = ["x", "y", "width", "height", "viewBox"]
        rootAttributes = try write(
            attributes.filter { !own.contains($0.name) }, of: "svg", .container, node: node, &dashes
        )
        open.append(Open(name: "svg", tag: tag, node: node, dashes: dashes, isText: false))
    }

    private mutating func end(_ tag: String) throws(ImagingError) {
        guard let entry = open.popLast(), entry.tag == tag else {
            throw SVGScanner.malformed("an end tag does not fit")
        }
        bindings.removeAll { $0.depth > open.count }
        guard !open.isEmpty, let name = entry.name else { return }
        if name == "style" {
            if let source = sheet {
                let rules = try SVGStyleSheet(source)
                graph.add(rules)
                body += "<style>\(Self.escaped(rules.text))</style>"
            }
            sheet = nil
        } else {
            body += "</\(name)>"
        }
    }

    private mutating func add(_ text: String) throws(ImagingError) {
        guard let entry = open.last else {
            guard text.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) else {
                throw SVGScanner.malformed("text stands outside of its root")
            }
            return
        }
        if sheet != nil, entry.name == "style" {
            sheet? += text
        } else if entry.name != nil, entry.isText, let node = entry.node {
            body += Self.escaped(text)
            graph.add(characters: text.unicodeScalars.count, to: node)
        }
    }

    // MARK: - Attributes

    /// The attributes that are understood, as they are written; what they cost goes to `node`.
    private mutating func write(
        _ attributes: [SVGScanner.Attribute], of name: String, _ element: SVGNames.Element,
        node: Int, _ dashes: inout Double
    ) throws(ImagingError) -> String {
        var text = ""
        var properties = SVGProperties()
        var outline = SVGNumbers.Outline()
        var extent = 0.0
        func put(_ name: String, _ value: String) {
            text += " \(name)=\"\(Self.escaped(value))\""
        }
        for attribute in attributes {
            let (uri, local) = resolved(attribute.name, isAttribute: true)
            let value = attribute.value
            if local == "href", uri == Self.linkNamespace || uri.isEmpty {
                switch element {
                case .use, .gradient:
                    let id = try SVGProperties.localID(value.trimmed)
                    graph.refer(from: node, .init(use: .paint, id: id))
                    put(uri.isEmpty ? "href" : "xlink:href", "#\(id)")
                default: break  // a link leads away, but nothing comes from there
                }
                continue
            }
            if attribute.name == "xml:space", ["default", "preserve"].contains(value) {
                put("xml:space", value)
            }
            guard uri.isEmpty else { continue }
            switch local {
            case "class":
                let names = value.split(whereSeparator: \.isWhitespace).map(String.init)
                guard names.count <= 32 else { throw .svgRefused(.tooManyElements) }
                graph.add(names: names.map { ".\($0)" }, to: node)
                put(local, value)
            case "style":
                let style = try SVGStyleSheet.declarations(value[...], into: &properties)
                if !style.isEmpty { put(local, style) }
            case "d":
                guard case .path = element else { continue }
                outline = SVGNumbers.path(value)
                put(local, value)
            case "points":
                guard case .points = element else { continue }
                outline = SVGNumbers.points(value)
                put(local, value)
            case "id":
                graph.name(node, value)
                graph.add(names: ["#\(value)"], to: node)
                put(local, value)
            case _ where SVGNames.attributes.contains(local):
                guard !value.lowercased().contains("url(") else {
                    throw .svgRefused(.externalReference)
                }
                if SVGNames.extents.contains(local) { extent += Self.extent(value) }
                switch local {
                case "transform": graph.enlarge(by: SVGNumbers.enlargement(value))
                // A part of its own scale, which is not followed.
                case "viewBox": graph.enlarge(by: .infinity)
                default: break
                }
                put(local, value)
            default:
                if let written = try properties.add(local, value) { put(local, written) }
            }
        }
        if case .shape(let edges) = element {
            outline = SVGNumbers.Outline(edges: edges, length: 8 * extent, reach: extent)
        }
        dashes = properties.dashes ?? dashes
        graph.set(node, element, outline, dashes: dashes)
        graph.enlarge(by: properties.enlargement)
        graph.hasVectorEffect = graph.hasVectorEffect || properties.hasVectorEffect
        for reference in properties.references {
            graph.refer(from: node, reference)
        }
        return text
    }

    /// A bound of a length that is good enough for counting dashes.
    private static func extent(_ text: String) -> Double {
        let number = text.trimmed
        if let plain = Double(number) { return plain.magnitude }
        return number.hasSuffix("%") ? .infinity : SVGNumbers.length(number) ?? .infinity
    }

    // MARK: - Names

    private mutating func bind(_ attributes: [SVGScanner.Attribute]) throws(ImagingError) {
        for attribute in attributes {
            let prefix: String
            if attribute.name == "xmlns" {
                prefix = ""
            } else if attribute.name.hasPrefix("xmlns:") {
                prefix = String(attribute.name.dropFirst(6))
            } else {
                continue
            }
            bindings.append(Binding(depth: open.count, prefix: prefix, uri: attribute.value))
            guard bindings.count <= Self.mostNamespaces else {
                throw .svgRefused(.tooManyElements)
            }
        }
    }

    /// The namespace and the local part of a name (Namespaces in XML 1.0, 6).
    private func resolved(_ name: String, isAttribute: Bool) -> (uri: String, local: String) {
        let prefix: String
        let local: String
        if let colon = name.firstIndex(of: ":") {
            prefix = String(name[..<colon])
            local = String(name[name.index(after: colon)...])
        } else {
            guard !isAttribute else { return ("", name) }
            (prefix, local) = ("", name)
        }
        let uri = bindings.last { $0.prefix == prefix }?.uri
        return (uri ?? (prefix.isEmpty ? "" : "unknown:\(prefix)"), local)
    }

    /// Text as XML has it.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { "<>&\"".utf8.contains($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension SVGNames.Element {
    /// Whether it draws where it stands.
    var isDrawn: Bool {
        switch self {
        case .definition, .gradient, .stop, .leftOut, .pattern, .styleSheet: false
        default: true
        }
    }
}
