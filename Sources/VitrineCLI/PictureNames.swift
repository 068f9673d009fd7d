import FoundationEssentials

/// How the files of a run are called: after the last part of each URL's path, numbered in the order
/// of the list, so that a second run gives the same names whatever arrives first.
///
/// Of a name only its fingerprint is kept, so that a million pictures take tens of megabytes. Two names
/// that have the same would get a number without need, and nothing worse.
struct PictureNames {
    /// Whether pictures may get another extension, so that `a.png` and `a.jpg` may clash too.
    let mayChangeExtension: Bool
    /// Names that came, and how often those did that came again.
    private var came: Set<UInt64> = []
    private var again: [UInt64: Int] = [:]

    init(mayChangeExtension: Bool) {
        self.mayChangeExtension = mayChangeExtension
    }

    /// The next picture's name without its extension.
    ///
    /// It holds no `/`, nothing that commands a terminal, does not begin with a dot, and is at most 200 bytes
    /// long, so that it is valid on every file system and stays within the folder.
    mutating func next(_ url: URL) -> String {
        let (stem, fileExtension) = Self.parts(of: url)
        let key = Fingerprint.of(fileName: mayChangeExtension ? stem : "\(stem).\(fileExtension)")
        if came.insert(key).inserted { return stem }
        let number = again[key, default: 1] + 1
        again[key] = number
        return "\(stem)-\(number)"
    }

    private static func parts(of url: URL) -> (stem: String, fileExtension: String) {
        let isData = url.scheme?.lowercased() == "data"
        let last = isData ? "" : url.path(percentEncoded: false).split(separator: "/").last ?? ""
        var name = String(
            last.unicodeScalars.map { scalar in
                Terminal.isHarmful(scalar) || scalar == "/" || scalar == "\\"
                    ? "_" : Character(scalar)
            })
        var fileExtension = ""
        if let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 6
        {
            fileExtension = String(name[name.index(after: dot)...])
            name = String(name[..<dot])
        }
        while name.hasPrefix(".") { name.removeFirst() }
        while name.utf8.count > 180 { name.removeLast() }
        return (name.isEmpty ? "image" : name, fileExtension)
    }
}
