/// What the elements of an SVG cost, and how they refer to each other.
///
/// A reference draws its target once more, so that few elements can stand for very many; what is drawn
/// in the end is counted here, each target once.
struct SVGGraph {
    /// What drawing costs at most.
    struct Cost: Equatable {
        /// Shapes and groups: each may cover the whole picture.
        var shapes = 0.0
        /// How often a line across the picture can meet an outline.
        var edges = 0.0
        /// The squares of that, by shape: outlines are sorted along the line.
        var squares = 0.0
        var characters = 0.0
        /// Of gradients, each time that they are used.
        var stops = 0.0

        static func += (sum: inout Cost, other: Cost) { sum.add(other, times: 1) }

        mutating func add(_ other: Cost, times count: Double) {
            shapes += other.shapes * count
            edges += other.edges * count
            squares += other.squares * count
            characters += other.characters * count
            stops += other.stops * count
        }
    }

    private struct Node {
        var children: [Int] = []
        var references: [SVGProperties.Reference] = []
        /// Classes and id, by which style sheets mean it.
        var names: [String] = []
        var isDrawn = false
        var isStop = false
        var outline = SVGNumbers.Outline()
        var dashes = 0.0
        var characters = 0.0
    }

    private static let mostMatches = 3_000_000.0

    private var nodes: [Node] = []
    private var ids: [String: Int] = [:]
    private var patterns: Set<String> = []
    /// What elements refer to because a style sheet says so, by class and id.
    private var sheetReferences: [String: [SVGProperties.Reference]] = [:]
    private(set) var selectorCount = 0
    /// Dashes for each unit of length that may apply to any element.
    private var commonDashes = 0.0
    private(set) var hasGradients = false
    var hasVectorEffect = false
    /// The greatest number in any outline.
    private(set) var reach = 0.0
    /// By how much all transformations together may enlarge.
    private(set) var enlargement = 1.0

    /// All elements, also those that are left out.
    var elementCount: Int { nodes.count }

    mutating func add(parent: Int?) -> Int {
        nodes.append(Node())
        if let parent { nodes[parent].children.append(nodes.count - 1) }
        return nodes.count - 1
    }

    mutating func name(_ node: Int, _ id: String) {
        // Which of two is meant, libraries do not agree on.
        if ids.updateValue(node, forKey: id) != nil { ids[id] = -1 }
    }

    mutating func add(names: [String], to node: Int) { nodes[node].names += names }

    mutating func markPattern(id: String?) {
        if let id { patterns.insert(id) }
    }

    mutating func refer(from node: Int, _ reference: SVGProperties.Reference) {
        nodes[node].references.append(reference)
    }

    mutating func add(_ sheet: SVGStyleSheet) {
        sheetReferences.merge(sheet.references) { $0 + $1 }
        selectorCount += sheet.selectorCount
        commonDashes = max(commonDashes, sheet.dashes)
        hasVectorEffect = hasVectorEffect || sheet.hasVectorEffect
        enlarge(by: sheet.enlargement)
    }

    mutating func enlarge(by factor: Double) {
        enlargement *= max(1, factor.isNaN ? .infinity : factor)
    }

    mutating func add(characters count: Int, to node: Int) {
        nodes[node].characters += Double(count)
    }

    mutating func set(
        _ node: Int, _ element: SVGNames.Element, _ outline: SVGNumbers.Outline, dashes: Double
    ) {
        nodes[node].isDrawn = element.isDrawn
        nodes[node].outline = outline
        nodes[node].dashes = dashes
        reach = max(reach, outline.reach)
        switch element {
        case .stop: nodes[node].isStop = true
        case .gradient: hasGradients = true
        // What is used takes over the properties of who uses it.
        case .use: commonDashes = max(commonDashes, dashes)
        default: break
        }
    }

    /// What drawing the whole picture costs at most.
    ///
    /// - Throws: ``SVGRefusal``'s reasons, among them a circle of references.
    func total() throws(ImagingError) -> Cost {
        // Each rule may be looked at for each element, here and by librsvg.
        guard Double(selectorCount) * Double(nodes.count) <= Self.mostMatches else {
            throw .svgRefused(.tooComplex)
        }
        var walk = Walk(graph: self, state: Array(repeating: .new, count: nodes.count))
        return try walk.cost(of: 0, depth: 0)
    }

    private struct Walk {
        enum State {
            case new
            case entered
            case done(Cost, height: Int)
        }

        let graph: SVGGraph
        var state: [State]

        mutating func cost(of index: Int, depth: Int) throws(ImagingError) -> Cost {
            try visit(index, depth: depth).cost
        }

        private mutating func visit(
            _ index: Int, depth: Int
        ) throws(ImagingError) -> (cost: Cost, height: Int) {
            switch state[index] {
            case .entered: throw .svgRefused(.circularReference)
            case .done(let cost, let height):
                guard depth + height <= 2 * SVGDocument.mostDeep else {
                    throw .svgRefused(.tooDeep)
                }
                return (cost, height)
            case .new: break
            }
            guard depth <= 2 * SVGDocument.mostDeep else { throw .svgRefused(.tooDeep) }
            state[index] = .entered
            let node = graph.nodes[index]
            var height = 0
            var cost = try own(node)
            for child in node.children {
                let (part, below) = try visit(child, depth: depth + 1)
                height = max(height, below + 1)
                if graph.nodes[child].isDrawn || graph.nodes[child].isStop { cost += part }
            }
            var references = node.references
            for name in node.names { references += graph.sheetReferences[name] ?? [] }
            for reference in references {
                guard !graph.patterns.contains(reference.id) else { throw .svgRefused(.pattern) }
                guard let target = graph.ids[reference.id] else { continue }
                guard target >= 0 else { throw SVGScanner.malformed("an id stands twice") }
                let (part, below) = try visit(target, depth: depth + 1)
                height = max(height, below + 1)
                switch reference.use {
                // Each shape within is cut by the outline of the clip.
                case .clip: cost.add(part, times: 2 * (1 + cost.shapes))
                case .marker: cost.add(part, times: node.outline.edges * 2 + 2)
                case .mask, .paint: cost += part
                }
            }
            state[index] = .done(cost, height: height)
            return (cost, height)
        }

        private func own(_ node: Node) throws(ImagingError) -> Cost {
            let density = max(node.dashes, graph.commonDashes)
            var dashes = 0.0
            if density > 0 {
                let hasOutline = node.outline.length > 0
                guard !graph.hasVectorEffect, node.characters == 0 else {
                    throw .svgRefused(.tooComplex)
                }
                dashes = hasOutline ? density * node.outline.length : 0
                guard dashes <= 20_000 else { throw .svgRefused(.tooComplex) }
            }
            if node.isStop { return Cost(stops: 1) }
            let edges = node.outline.edges + node.characters * 8 + dashes * 2
            return Cost(
                shapes: 1, edges: edges, squares: edges * edges, characters: node.characters)
        }
    }
}
