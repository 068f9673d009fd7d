import FoundationEssentials

/// A collection of files, and what is expected of each.
protocol Corpus: Sendable {
    /// The name of its folder.
    var name: String { get }
    /// What is checked, in one sentence.
    var promise: String { get }
    /// Looks at all files.
    func findings(_ files: Files) -> [Finding]
}

/// What was seen of one file.
struct Finding {
    /// The file, within the folder of the corpus.
    let file: String
    /// The kind of file that it is, as a row of the table.
    let group: String
    let isAsExpected: Bool
    /// What was seen, in a few words.
    let seen: String
}

/// The files of one corpus.
struct Files {
    let folder: URL
    /// Their paths within the folder, in order.
    let all: [String]

    init(_ folder: URL) {
        self.folder = folder
        let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        all = (names ?? []).sorted()
    }

    /// The files in the folder `prefix` whose names end with one of `endings`.
    func matching(_ prefix: String, _ endings: String...) -> [String] {
        all.filter { path in
            path.hasPrefix(prefix) && endings.contains { path.hasSuffix($0) }
        }
    }

    func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }

    func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }
}
