import Foundation
import Testing

/// What the articles show of views is what is compiled and run here.
@Suite struct ViewArticleTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The Swift samples of an article's part on views, without their fences.
    private static func samples(_ article: String) -> [String] {
        var samples: [String] = []
        var open: [Substring]?
        var isOfViews = false
        for line in lines(article) {
            if line.hasPrefix("## ") { isOfViews = line == "## Views" }
            if !isOfViews { continue }
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
        "S3: the samples of views, one after the other, are the whole of a file that is run",
        arguments: ["AlamofireImage", "Imaginary", "URLImage"])
    func samples(library: String) throws {
        let article = try Self.text("Sources/Vitrine/Vitrine.docc/ComingFrom\(library).md")
        let source = try Self.text("Tests/ComingFromViewsTests/\(library)ViewSnippets.swift")
        let samples = Self.samples(article)
        #expect(samples.count >= 6)
        let header = """
            import CGTK
            import VitrineGTK
            import VitrineTesting

            // What the article "Coming from \(library)" shows of views.


            """
        #expect(source == header + samples.joined(separator: "\n\n") + "\n")

        // Whatever the samples declare is used by the tests.
        let tests = try Self.text("Tests/ComingFromViewsTests/\(library)ViewSnippetTests.swift")
        for line in Self.lines(source) {
            let words = line.split(separator: " ")
            guard let first = words.first, line.hasPrefix(first),
                let keyword = words.firstIndex(where: { ["func", "class", "let"].contains($0) })
            else { continue }
            let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
            #expect(tests.contains(name), "\(name)")
        }
    }
}
