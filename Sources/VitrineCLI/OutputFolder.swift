import FoundationEssentials
import Glibc
import Vitrine
import VitrineBase

/// The folder into which pictures are written: gives each its own name, and writes it whole or not.
final class OutputFolder: Sendable {
    /// Why something cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    private let taken = Lock(Set<String>())

    /// Makes the folder if it is not there, and finds out whether it can be written to.
    init(_ path: String) throws(Failure) {
        self.path = path
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : part + "/"
            if mkdir(made, 0o777) != 0, errno != EEXIST, errno != EISDIR, access(made, F_OK) != 0 {
                throw Failure(path, errno)
            }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure(path, ENOTDIR) }
        guard access(path, W_OK | X_OK) == 0 else { throw Failure(path, errno) }
    }

    /// A file name after the last part of the URL's path, with the given extension, that no other
    /// picture of this run has.
    ///
    /// It holds no `/`, no control characters, does not begin with a dot, and is at most 200 bytes
    /// long, so that it is valid on every file system and stays within the folder.
    func name(for url: URL, fileExtension: String) -> String {
        let stem = Self.stem(of: url)
        return taken.withLock { taken in
            var name = "\(stem).\(fileExtension)"
            var number = 1
            // Without regard to case, for file systems that have none.
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(stem)-\(number).\(fileExtension)"
            }
            return name
        }
    }

    private static func stem(of url: URL) -> String {
        let isData = url.scheme?.lowercased() == "data"
        let last = isData ? "" : url.path(percentEncoded: false).split(separator: "/").last ?? ""
        var name = String(
            last.unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" || scalar == "\\"
                    ? "_" : Character(scalar)
            })
        if let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 6
        {
            name = String(name[..<dot])
        }
        while name.hasPrefix(".") { name.removeFirst() }
        while name.utf8.count > 180 { name.removeLast() }
        return name.isEmpty ? "image" : name
    }

    /// Writes the file under a temporary name and then renames it: whole or not at all. Blocks.
    ///
    /// - Returns: the file's path.
    func write(_ data: Data, name: String) throws(Failure) -> String {
        let target = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        let temporary = "\(path)/.vitrine-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Failure(target, errno) }
        var failure: Int32 = 0
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty, failure == 0 {
                let count = Glibc.write(
                    file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    failure = errno
                }
            }
        }
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, target) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw Failure(target, failure)
        }
        return target
    }
}

extension OutputFolder.Failure {
    fileprivate init(_ path: String, _ code: Int32) {
        let why =
            switch code {
            case EACCES, EPERM, EROFS: "permission is denied"
            case ENOSPC, EDQUOT: "the disk is full"
            case ENOTDIR: "it is not a folder"
            case EISDIR: "a folder has that name"
            case ENAMETOOLONG: "the name is too long"
            default: String(cString: strerror(code))
            }
        description = "\(path) cannot be written: \(why)."
    }
}
