import FoundationEssentials
import VitrineHTTP

/// How the files of a run are called: after the last part of each URL's path, numbered in the order
/// of the list, so that a second run gives the same names whatever arrives first.
///
/// A name is settled without its extension, which nobody knows before the picture is there: of `a.png` and
/// `a.asp` both may be PNG. Of a name only its fingerprint is kept, so that a million pictures take tens of
/// megabytes. Two names that have the same would get a number without need, and nothing worse.
struct PictureNames {
    /// All that were given.
    private var given: Set<UInt64> = []
    /// Of those that came again, the last number that was tried.
    private var numbers: [UInt64: Int] = [:]

    /// The next picture's name without its extension, which no other picture of the run has, also where
    /// case does not count.
    ///
    /// It holds no `/`, nothing that commands a terminal, does not begin with a dot, and is at most 200 bytes
    /// long, so that it is valid on every file system and stays within the folder.
    mutating func next(_ url: URL) -> String {
        let stem = Self.stem(of: url)
        let key = Fingerprint.of(fileName: stem)
        var name = stem
        var number = numbers[key, default: 1]
        // A number that is passed over is a name that was given, and is not tried again: all in all there
        // are no more tries than names.
        while !given.insert(Fingerprint.of(fileName: name)).inserted {
            number += 1
            name = "\(stem)-\(number)"
        }
        if number > 1 { numbers[key] = number }
        return name
    }

    /// In bytes; a number comes after it, and an extension.
    private static let longestStem = 180
    /// With its dot, in bytes.
    private static let longestExtension = 6

    private static func stem(of url: URL) -> String {
        guard url.scheme?.lowercased() != "data" else { return "image" }
        var bytes = url.pathBytes[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) { bytes = bytes[(slash + 1)...] }
        let tail = bytes.suffix(longestExtension)
        if let dot = tail.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex {
            bytes = bytes[..<dot]
        }
        bytes = bytes.drop { $0 == UInt8(ascii: ".") }
        var stem = ""
        // Whole characters; what is beyond them is not looked at, however much it is.
        for character in String(decoding: bytes.prefix(longestStem * 4), as: UTF8.self) {
            let shown = String(String.UnicodeScalarView(character.unicodeScalars.map(harmless)))
            guard stem.utf8.count + shown.utf8.count <= longestStem else { break }
            stem += shown
        }
        return stem.isEmpty ? "image" : stem
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        Terminal.isHarmful(scalar) || scalar == "/" || scalar == "\\" ? "_" : scalar
    }
}
