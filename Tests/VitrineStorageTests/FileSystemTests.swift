import FoundationEssentials
import Glibc
import Testing

@testable import VitrineStorage

@Suite struct FileSystemTests {
    @Test("C3: what is under way in the temporary folder is readable by its owner alone")
    func drafts() throws {
        let folder = try TemporaryFolder()
        let source = folder.path + "/source"
        try writeFile(bytes(100), source)
        chmod(source, 0o644)
        try FileSystem.write(bytes(100), to: folder.path + "/written")
        try FileSystem.copy(source, to: folder.path + "/copied")
        for name in ["written", "copied"] {
            var status = stat()
            #expect(lstat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
            #expect(try readFile("\(folder.path)/\(name)") == bytes(100))
        }
    }
}
