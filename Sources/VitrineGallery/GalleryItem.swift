import FoundationEssentials

/// One picture of the gallery.
struct GalleryItem: Hashable, Sendable {
    let url: URL
    /// What it is called: the last part of its path, without what would not be seen.
    let name: String

    init(_ url: URL) {
        self.url = url
        name = Self.name(of: url)
    }

    private static func name(of url: URL) -> String {
        if url.scheme?.lowercased() == "data" { return "Picture in a URL" }
        let last = url.path(percentEncoded: false).split(separator: "/").last
        let seen = last.map {
            String($0.unicodeScalars.filter { !isHidden($0) }.map(Character.init))
        }
        if let seen, !seen.allSatisfy(\.isWhitespace) { return seen }
        return url.host(percentEncoded: false) ?? "Picture"
    }

    /// Control and format characters, which could turn the rest of a line around.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Where it is, for people: host and folder, without user, query and fragment, which may hold
    /// secrets; the folder of a file.
    var place: String {
        guard url.scheme?.lowercased() != "data" else { return "" }
        let path = url.path(percentEncoded: false)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if url.isFileURL { return folder.isEmpty ? "/" : folder }
        let host = url.host(percentEncoded: false) ?? ""
        return host + (url.port.map { ":\($0)" } ?? "") + folder
    }
}
