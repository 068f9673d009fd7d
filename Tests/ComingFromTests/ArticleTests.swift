import Foundation
import Testing

/// What the articles show is what is compiled and run here.
@Suite struct ArticleTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The parts of an article: its samples of views need GTK, and are run by tests of their own.
    enum Part: CaseIterable {
        case loading
        case views

        /// The file that is the part's samples.
        func snippets(_ library: String) -> String {
            switch self {
            case .loading: "Tests/ComingFromTests/\(library)Snippets"
            case .views: "Tests/ComingFromViewsTests/\(library)ViewSnippets"
            }
        }

        /// With what that begins.
        func header(_ library: String) -> String {
            switch self {
            case .loading:
                """
                import VitrineStorage
                import VitrineTesting

                // What the article "Coming from \(library)" shows.


                """
            case .views:
                """
                import CGTK
                import VitrineGTK
                import VitrineTesting

                // What the article "Coming from \(library)" shows of views.


                """
            }
        }

        var fewestSamples: Int {
            switch self {
            case .loading: 10
            case .views: 6
            }
        }
    }

    /// The Swift samples of a part of an article, without their fences.
    private static func samples(_ article: String, of part: Part) -> [String] {
        var samples: [String] = []
        var open: [Substring]?
        var current = Part.loading
        for line in lines(article) {
            if line.hasPrefix("## ") { current = line == "## Views" ? .views : .loading }
            if current != part { continue }
            if line == "```swift" {
                open = []
            } else if line == "```", let sample = open {
                samples.append(sample.joined(separator: "\n"))
                open = nil
            } else {
                open?.append(line)
            }
        }
        return samples
    }

    @Test(
        "S3: the samples of an article, one after the other, are the whole of a file that is run",
        arguments: ["AlamofireImage", "Imaginary", "URLImage"], Part.allCases)
    func samples(library: String, part: Part) throws {
        let article = try Self.text("Sources/Vitrine/Vitrine.docc/ComingFrom\(library).md")
        let path = part.snippets(library)
        let source = try Self.text("\(path).swift")
        let samples = Self.samples(article, of: part)
        #expect(samples.count >= part.fewestSamples)
        #expect(source == part.header(library) + samples.joined(separator: "\n\n") + "\n")

        // Each function of the samples is called, each type made, and each constant read.
        let tests = try Self.text("\(path.dropLast("s".count))Tests.swift")
        for line in Self.lines(source) {
            let words = line.split(separator: " ")
            guard let first = words.first, line.hasPrefix(first),
                let keyword = words.firstIndex(where: {
                    ["func", "struct", "class", "let"].contains($0)
                })
            else { continue }
            let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
            let uses = words[keyword] == "let" ? ["\(name)"] : ["\(name)(", "\(name) {"]
            let isUsed = uses.contains { tests.contains($0) }
            #expect(isUsed, "\(name)")
        }
    }

    @Test("S3: the articles are named where people look for them")
    func links() throws {
        let index = try Self.text("Sources/Vitrine/Vitrine.docc/Vitrine.md")
        for library in ["AlamofireImage", "Imaginary", "URLImage"] {
            #expect(index.contains("<doc:ComingFrom\(library)>"))
            #expect(try Self.text("README.md").contains("ComingFrom\(library).md"))
        }
    }
}
