import FoundationEssentials
import Glibc

/// An empty folder that is removed with its last reference.
final class Folder {
    struct Failure: Error {}
    let path: String

    init() throws {
        path = "/tmp/vitrine-test-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        guard mkdir(path, 0o700) == 0 else { throw Failure() }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func write(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}
