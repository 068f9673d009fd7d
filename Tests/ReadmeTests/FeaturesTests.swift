import Foundation
import Testing

/// `make features`, which lists the rows of a table of features with the tests that name them.
@Suite struct FeaturesTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What the script says of a table, and how it ends.
    private func run(_ table: String) throws -> (text: String, status: Int32) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "vitrine-features-\(UUID().uuidString).md")
        try Data(table.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = Process()
        script.executableURL = URL(filePath: "/usr/bin/python3")
        script.arguments = [Self.root.appending(path: "Scripts/features").path, file.path]
        let output = Pipe()
        script.standardOutput = output
        script.standardError = output
        try script.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        return (String(decoding: said, as: UTF8.self), script.terminationStatus)
    }

    @Test(
        "S5: each row with the tests that name it, and those that none names",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func rows() throws {
        // This test names its row; of the other one no test may speak.
        let nobody = ["Y", "987"].joined()
        let (text, status) = try run(
            """
            # Features
            | id | feature |
            |---|---|
            | S5 | lists rows |
            | \(nobody) | U-1 | nobody has it |
            """)
        #expect(status == 0)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let place = try #require(lines.firstIndex(of: "S5  lists rows"))
        #expect(
            lines[place + 1].hasPrefix(
                "S5: each row with the tests that name it, and those that none names (Tests/"))
        #expect(lines.contains("1 of 2 rows have tests."))
        #expect(lines.contains("Rows without a test: \(nobody)"))
        let empty = try run("no rows")
        #expect(empty.status == 1 && empty.text.hasPrefix("There are no rows"))
    }
}
