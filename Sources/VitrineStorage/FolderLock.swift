import Glibc

/// Held while a process makes or replaces the index, so that two do not do it at once.
///
/// It lies in a file of its own: closing a handle of the index itself would drop the locks that
/// SQLite holds on it for the whole process (`fcntl(2)`).
struct FolderLock: ~Copyable {
    private let file: Int32

    init(path: String) throws {
        if FileSystem.isLink(path) { FileSystem.remove(path) }
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError() }
        // Not for ever: its holder may have been stopped in the midst of its work.
        for _ in 0..<500 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                self.file = file
                return
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        let error = SystemError()
        close(file)
        throw error
    }

    deinit { close(file) }
}
