import Glibc

/// A folder that is held open, so that its files are found without the way to it.
final class Folder: Sendable {
    let descriptor: Int32

    /// - Throws: also where the path is a link.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
