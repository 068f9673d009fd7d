import Glibc

/// The folder in which the program was started, from which relative paths go.
enum WorkingFolder {
    /// What leads there whatever its name is.
    static let link = "/proc/self/cwd"

    /// Its absolute path; nil if it is not UTF-8, or gone.
    static var path: String? {
        guard let name = getcwd(nil, 0) else { return nil }
        defer { free(name) }
        return String(validatingCString: name)
    }

    /// Whether it has been removed.
    static var isGone: Bool {
        guard let name = getcwd(nil, 0) else { return errno == ENOENT }
        free(name)
        return false
    }
}
