import Glibc

/// Files of one size without anything around them: what a disk store is measured by.
struct PlainFiles {
    private let folder: String
    private let paths: [[CChar]]
    private let size: Int

    /// Names for `count` files of `size` bytes in a folder of their own, which is made.
    init(in folder: String, count: Int, size: Int) {
        mkdir(folder, 0o700)
        self.folder = folder
        self.size = size
        paths = (0..<count).map { Array("\(folder)/\($0)".utf8CString) }
    }

    var count: Int { paths.count }

    /// Opens a file, asks for its length, reads it into memory of its own and closes it.
    func read(_ number: Int) throws {
        let file = open(paths[number], O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Turns.Failure(what: "open") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, let memory = malloc(Int(status.st_size)) else {
            throw Turns.Failure(what: "fstat")
        }
        defer { free(memory) }
        guard Glibc.read(file, memory, Int(status.st_size)) == size else {
            throw Turns.Failure(what: "read")
        }
    }

    /// Writes a temporary file and gives it its name.
    func write(_ bytes: [UInt8], _ number: Int) throws {
        let draft = Array("\(folder)/draft-\(number)".utf8CString)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Turns.Failure(what: "create") }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count,
            rename(draft, paths[number]) == 0
        else { throw Turns.Failure(what: "write") }
    }
}
