/// A line that a terminal shows while work goes on, in parts of which some can be missed.
struct StatusLine: Equatable {
    /// A piece of the line.
    struct Part: Equatable {
        let text: String
        /// What can be missed most goes first where the line is too long; 0 stays.
        let dispensability: Int
    }

    private let parts: [Part]

    var isEmpty: Bool { parts.isEmpty }

    init(_ parts: [Part]) { self.parts = parts }

    /// The parts that fit into so many columns, with commas between them. Their characters are taken to
    /// be as wide as a column.
    func text(columns: Int) -> String {
        var parts = parts
        while true {
            let text = parts.map(\.text).joined(separator: ", ")
            guard text.count > columns else { return text }
            let most = parts.indices.max { parts[$0].dispensability < parts[$1].dispensability }
            guard let most, parts[most].dispensability > 0 else {
                return String(text.prefix(max(0, columns)))
            }
            parts.remove(at: most)
        }
    }
}
