/// Help as it fits a terminal of 80 columns.
enum HelpText {
    static let columns = 79

    /// The text with its paragraphs filled. Lines that begin with a blank stay as they are.
    ///
    /// - Parameter indent: how many columns stand before the first line, and before the others then.
    static func wrapped(_ text: String, after indent: Int = 0) -> String {
        var lines: [String] = []
        var isFilled = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard let first = line.first, first != " " else {
                lines.append(String(line))
                isFilled = false
                continue
            }
            for word in line.split(separator: " ") {
                if isFilled, let last = lines.last, last.count + 1 + word.count <= columns - indent
                {
                    lines[lines.count - 1] = "\(last) \(word)"
                } else {
                    lines.append(String(word))
                }
                isFilled = true
            }
            // A heading ends with its line.
            if line.last == ":" { isFilled = false }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
