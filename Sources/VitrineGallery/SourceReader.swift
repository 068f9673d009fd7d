import FoundationEssentials
import Glibc
import PictureLists
import Vitrine
import VitrineHTTP

/// Finds the pictures that words on the command line, lines of a list and dropped files name.
///
/// Blocks while it reads lists and folders. What is not there becomes a picture too, which then says why
/// it cannot be shown.
struct SourceReader {
    /// A list of hundreds of thousands of URLs.
    private static let maximumListBytes = 64 << 20
    /// As much as is read to tell what a file is.
    private static let headBytes = 4096
    /// Folders within folders.
    private static let maximumDepth = 32

    private(set) var items: [GalleryItem] = []
    /// Whether a pipe with a name, such as shells make of `<(…)`, is read as a list. That waits until
    /// somebody writes, and ends what they wrote for everybody else.
    var readsPipes = false

    /// Adds what a word names: a URL, a picture file, a folder, a file with a list, or `-` for a list on
    /// standard input.
    ///
    /// - Throws: `UsageError` if it names nothing, or a list or folder that cannot be read.
    mutating func add(_ word: String) throws(UsageError) {
        if word == "-" {
            try addLines(of: 0, "Standard input")
        } else if let path = try addUnlessPath(word) {
            try addFile(path, mayBeList: true)
        }
    }

    /// Adds a URL; returns the path if it is one, or a `file:` URL.
    private mutating func addUnlessPath(_ text: String) throws(UsageError) -> String? {
        guard !text.isEmpty else { throw UsageError("An empty text names no picture.") }
        guard hasScheme(text) else { return text }
        guard let url = URL(written: text) else {
            throw UsageError("\"\(redact(text))\" is not a valid URL.")
        }
        if url.isFileURL { return url.path(percentEncoded: false) }
        items.append(GalleryItem(url))
        return nil
    }

    private mutating func addFile(_ path: String, mayBeList: Bool) throws(UsageError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return addPicture(path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try addFolder(path, depth: 0)
        case S_IFREG where mayBeList && !Self.isPictureName(path) && Self.isText(path),
            S_IFIFO where mayBeList && readsPipes:
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return addPicture(path) }
            defer { close(file) }
            try addLines(of: file, "The list \(path)")
        default: addPicture(path)
        }
    }

    private mutating func addPicture(_ path: String) {
        items.append(GalleryItem(URL(filePath: path)))
    }

    // MARK: - Lists

    /// Lines name what words name, but no lists; empty ones and those that begin with `#` do not count.
    private mutating func addLines(of file: Int32, _ name: String) throws(UsageError) {
        for word in try Self.words(in: Self.bytes(of: file, name), name) {
            if let path = try addUnlessPath(word) { try addFile(path, mayBeList: false) }
        }
    }

    /// The words of a list.
    static func words(in bytes: [UInt8], _ name: String) throws(UsageError) -> [String] {
        var lines = ListLines()
        let words = lines.add(bytes) + lines.end()
        if let why = picture(bytes) ?? lines.fault?.description {
            throw UsageError("\(name) is no list of pictures: \(why).")
        }
        return words
    }

    /// What is said of bytes that are a picture themselves. A list may begin with what would also begin
    /// an SVG.
    private static func picture(_ bytes: [UInt8]) -> String? {
        let format = bytes.withUnsafeBytes { RasterFormat(sniffing: $0) }
        guard let format, format != .svg else { return nil }
        return "it is a picture itself, \(format)"
    }

    private static func bytes(of file: Int32, _ name: String) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw UsageError("\(name) cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= maximumListBytes else {
                throw UsageError("\(name) cannot be read: it has more than 64 MB.")
            }
        }
    }

    /// Whether the file begins with text, and not with a picture or a page.
    private static func isText(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: headBytes)
        let count = read(file, &head, head.count)
        guard count > 0 else { return false }
        head.removeLast(head.count - count)
        let isPicture = head.withUnsafeBytes { RasterFormat(sniffing: $0) != nil }
        return !isPicture && isText(head)
    }

    /// UTF-8 that may be cut off in its last character, without NUL, that does not begin as markup does.
    static func isText(_ head: [UInt8]) -> Bool {
        guard !head.contains(0) else { return false }
        let first = head.first { $0 > 0x20 }
        guard first != nil, first != UInt8(ascii: "<") else { return false }
        // A character has at most three bytes after its first.
        return (0...3).contains { cut in
            String(validating: head.dropLast(cut), as: UTF8.self) != nil
        }
    }

    // MARK: - Folders

    /// The pictures by the ends of their names, in the order in which people count; hidden files and
    /// links to folders do not count.
    private mutating func addFolder(_ path: String, depth: Int) throws(UsageError) {
        guard depth < Self.maximumDepth else { return }
        guard let folder = opendir(path) else {
            // One within another may be somebody else's.
            guard depth == 0 else { return }
            let why = String(cString: strerror(errno))
            throw UsageError("The folder \(path) cannot be read: \(why).")
        }
        var names: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR || Self.isPictureName(name) && (kind == S_IFREG || kind == S_IFLNK) {
                names.append((name, kind == S_IFDIR))
            }
        }
        closedir(folder)
        names.sort { Self.comesFirst($0.name, $1.name) }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        // Its own pictures, and then those of the folders in it.
        for (name, isFolder) in names where !isFolder { addPicture(prefix + name) }
        for (name, isFolder) in names where isFolder {
            try addFolder(prefix + name, depth: depth + 1)
        }
    }

    /// Whether a file's name ends as a picture's does.
    static func isPictureName(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return pictureEnds.contains(name[name.index(after: dot)...].lowercased())
    }

    private static let pictureEnds = Set(RasterFormat.allCases.map(\.fileExtension)).union([
        "jpeg", "jpe", "jfif", "tif", "heif", "apng", "j2k", "jpx", "avifs",
    ]).subtracting(["svg"])

    /// As people sort: `a2` before `a10`, without regard to case.
    static func comesFirst(_ first: String, _ second: String) -> Bool {
        var (one, other) = (first.lowercased()[...], second.lowercased()[...])
        while let left = one.first, let right = other.first {
            if left.isASCIIDigit, right.isASCIIDigit {
                let numbers = (number(&one), number(&other))
                if numbers.0.count != numbers.1.count {
                    return numbers.0.count < numbers.1.count
                }
                if numbers.0 != numbers.1 { return numbers.0 < numbers.1 }
            } else {
                if left != right { return left < right }
                one.removeFirst()
                other.removeFirst()
            }
        }
        if one.isEmpty != other.isEmpty { return one.isEmpty }
        return first < second
    }

    /// Takes the digits at the beginning, without zeros before them.
    private static func number(_ text: inout Substring) -> Substring {
        let digits = text.prefix(while: \.isASCIIDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == "0" }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
