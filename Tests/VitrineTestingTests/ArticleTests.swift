import FoundationEssentials
import Testing

/// What the documentation shows is what is tested.
@Suite struct ArticleTests {
    @Test("L14: the sample of a user's own test is the whole of a file that is run") func sample()
        throws
    {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func text(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
        }
        let article = try text("Sources/VitrineTesting/VitrineTesting.docc/VitrineTesting.md")
        let file = try text("Tests/VitrineTestingTests/AvatarListTests.swift")
        #expect(!file.isEmpty && article.contains("```swift\n\(file)```\n"))
    }
}
