public import FoundationEssentials

/// The committed files in `Fixtures/images`.
public enum Fixture {
    /// The folder, found from where this file was compiled.
    public static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appending(path: "Fixtures/images")
    }()

    /// The bytes of the file of this name.
    public static func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }
}
