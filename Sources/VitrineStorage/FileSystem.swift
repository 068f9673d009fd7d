import FoundationEssentials
import Glibc
import VitrineBase

/// The calls of the file system that a store makes, with their failures thrown.
enum FileSystem {
    /// Which file a path leads to.
    struct Identity: Equatable {
        let device: UInt64
        let node: UInt64
    }

    static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }

    static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether there is a folder at the path itself, and not at the end of a link.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    static func size(_ path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_size)
    }

    /// Makes a folder of mode 0700, and the folders above it that are missing.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            var status = stat()
            guard stat(path, &status) == 0 else { throw SystemError() }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR) }
        case ENOENT:
            let missing = SystemError(ENOENT)
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
                throw missing
            }
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError() }
        case let code: throw SystemError(code)
        }
    }

    /// Makes a folder of mode 0700 within one that is there; a link in its place goes first, lest what
    /// is meant for the folder be written to, or removed, somewhere else.
    static func makeInnerFolder(_ path: String) throws {
        if isLink(path) { remove(path) }
        try makeFolder(path)
    }

    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func remove(_ path: String) { unlink(path) }

    /// Removes a regular file that was last written before `moment`, seconds since 1970.
    static func remove(_ path: String, ifWrittenBefore moment: Double) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Double(status.st_mtim.tv_sec) < moment
        else { return }
        unlink(path)
    }

    static func rename(_ path: String, to target: String) throws {
        guard Glibc.rename(path, target) == 0 else { throw SystemError() }
    }

    /// Sets the time of the last write to now.
    static func touch(_ path: String) { utimensat(AT_FDCWD, path, nil, 0) }

    /// Writes a new file; a relative path begins at `folder`.
    static func write(_ data: Data, to path: String, in folder: Folder? = nil) throws {
        try withFile(path, O_WRONLY | O_CREAT | O_EXCL, in: folder) { file in
            try data.withUnsafeBytes { try write($0, to: file) }
        }
    }

    /// Makes a new file for which so many bytes of the file system are set apart.
    static func reserve(_ size: Int, at path: String) throws {
        do {
            try withFile(path, O_WRONLY | O_CREAT | O_EXCL) { file in
                let code = posix_fallocate(file, 0, off_t(size))
                guard code == 0 else { throw SystemError(code) }
            }
        } catch let error as SystemError where error.code != EEXIST {
            remove(path)
            throw error
        }
    }

    static func copy(_ path: String, to target: String) throws {
        try withFile(target, O_WRONLY | O_CREAT | O_EXCL) { file in
            try eachChunk(of: path) { try write($0, to: file) }
        }
    }

    /// Up to which size memory is taken for a file before it was asked for its length.
    private static let trustedSize = 1_048_576

    /// The file's bytes; nil if they are not `size`. A relative path begins at `folder`.
    static func read(
        _ path: String, in folder: Folder? = nil, expecting size: Int
    ) throws -> Data? {
        try withFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: folder) { file in
            guard size > 0 else { return try isRegular(file, size: 0) ? Data() : nil }
            if size > trustedSize, try !isRegular(file, size: size) { return nil }
            // Not `Data(count:)`, which would first write zeros everywhere. With a byte more, a single
            // call reads the file and finds that it goes no further.
            guard let memory = malloc(size + 1) else { throw SystemError(ENOMEM) }
            var isWhole = false
            defer { if !isWhole { free(memory) } }
            let buffer = UnsafeMutableRawBufferPointer(start: memory, count: size + 1)
            var filled = 0
            while filled < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = try read(into: rest, from: file)
                if count == 0 { return nil }
                filled += count
            }
            guard filled == size else { return nil }
            isWhole = true
            // Only now: of few bytes it makes a copy at once and gives the memory back.
            return Data(bytesNoCopy: memory, count: size, deallocator: .free)
        }
    }

    private static func isRegular(_ file: Int32, size: Int) throws -> Bool {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemError() }
        return status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == size
    }

    /// The length and the checksum of a regular file.
    static func measure(_ path: String) throws -> (size: Int, checksum: UInt64) {
        var checksum = Checksum()
        var size = 0
        try eachChunk(of: path) { chunk in
            checksum.update(UnsafeRawBufferPointer(chunk))
            size += chunk.count
        }
        return (size, checksum.value)
    }

    private static func eachChunk(
        of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try withFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { file in
            var status = stat()
            guard fstat(file, &status) == 0 else { throw SystemError() }
            guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try read(into: buffer, from: file)
                if count == 0 { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Opens a file for the time of `body`; no child process inherits it.
    private static func withFile<Result>(
        _ path: String, _ flags: Int32, in folder: Folder? = nil,
        _ body: (Int32) throws -> Result
    ) throws -> Result {
        let file = openat(folder?.descriptor ?? AT_FDCWD, path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError() }
        defer { close(file) }
        return try body(file)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(file, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError() }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(
        into buffer: UnsafeMutableRawBufferPointer, from file: Int32
    ) throws -> Int {
        while true {
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError() }
        }
    }
}
