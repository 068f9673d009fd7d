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

    /// The Swift samples of an article, without their fences, but for those of views, for which there
    /// are tests with GTK.
    private static func samples(_ article: String) -> [String] {
        var samples: [String] = []
        var open: [Substring]?
        var isOfViews = false
        for line in lines(article) {
            if line.hasPrefix("## ") { isOfViews = line == "## Views" }
            if isOfViews { continue }
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
        arguments: ["AlamofireImage", "Imaginary", "URLImage"])
    func samples(library: String) throws {
        let article = try Self.text("Sources/Vitrine/Vitrine.docc/ComingFrom\(library).md")
        let source = try Self.text("Tests/ComingFromTests/\(library)Snippets.swift")
        let samples = Self.samples(article)
        #expect(samples.count >= 10)
        let header = """
            import VitrineStorage
            import VitrineTesting

            // What the article "Coming from \(library)" shows.


            """
        #expect(source == header + samples.joined(separator: "\n\n") + "\n")

        // Each function of the samples is called, and each type made.
        let tests = try Self.text("Tests/ComingFromTests/\(library)SnippetTests.swift")
        for line in Self.lines(source) {
            let words = line.split(separator: " ")
            guard let first = words.first, line.hasPrefix(first),
                let keyword = words.firstIndex(where: { ["func", "struct", "class"].contains($0) })
            else { continue }
            let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
            let isUsed = ["\(name)(", "\(name) {"].contains { tests.contains($0) }
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
