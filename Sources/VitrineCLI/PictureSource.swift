import FoundationEssentials
import Glibc
import PictureLists
import Vitrine
import VitrineHTTP

/// What the user named on the command line or in a list: a URL, or a file by its path.
struct PictureSource: Hashable {
    let url: URL

    /// - Throws: `UsageError` if the text is neither.
    init(_ text: String) throws(UsageError) {
        guard !text.isEmpty else { throw UsageError("An empty text names no picture.") }
        if hasScheme(text) {
            guard let url = URL(written: text) else {
                throw UsageError("\"\(Self.shown(text))\" is not a valid URL.")
            }
            self.url = url
        } else {
            // The system would refuse it too, and to make a URL of it may take seconds.
            guard text.utf8.count < Int(PATH_MAX) else {
                throw UsageError("\"\(Self.shown(text))\" is too long for the path of a file.")
            }
            url = Self.file(text)
        }
    }

    private static func file(_ path: String) -> URL {
        if path.hasPrefix("/") || WorkingFolder.path != nil { return URL(filePath: path) }
        return URL(filePath: "\(WorkingFolder.link)/\(path)")
    }

    /// The text for people: a URL without user info and query values, a path as it is, and neither longer
    /// than people read.
    static func shown(_ text: String) -> String {
        Terminal.shortened(hasScheme(text) ? redact(text) : text)
    }

    /// Why it could not be had, in words of the command line, with a hint where a host was perhaps meant.
    static func explain(_ error: any Error, _ text: String) -> String {
        var reason = (error as? ImageError)?.reason
        if let error = error as? ImagingError { reason = .imaging(error) }
        return Terminal.shortened(words(for: reason, text) ?? String(describing: error))
    }

    private static func words(for reason: ImageError.Reason?, _ text: String) -> String? {
        switch reason {
        case .imaging(.formatNotAllowed(format: .svg)):
            return "The image is SVG, which is rendered only with --svg."
        case .file where !hasScheme(text) && !text.hasPrefix("/") && WorkingFolder.isGone:
            return "The file cannot be read: the working folder is not there any more."
        case .file(let path, _)
        where access(path, F_OK) != 0 && errno == ENOENT && !hasScheme(text)
            && text.prefix(while: { $0 != "/" }).contains("."):
            return "\(reason?.description ?? "") A URL begins with http:// or https://."
        default: return reason?.description
        }
    }

    /// The whole of standard input, at most `limit` bytes.
    static func standardInput(limit: Int) throws(UsageError) -> [UInt8] {
        let input = try ListFile("-")
        var bytes: [UInt8] = []
        while true {
            let chunk = try input.read()
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= limit else {
                throw UsageError(
                    "\(input.name) cannot be read: it has more than \(Readable.bytes(limit)).")
            }
        }
    }
}
