import Glibc

extension DiskStore {
    /// The folder in which an app keeps its store: `$XDG_CACHE_HOME/<app id>/vitrine`, or
    /// `~/.cache/<app id>/vitrine`.
    ///
    /// As the XDG Base Directory Specification asks, an `XDG_CACHE_HOME` that is empty or no
    /// absolute path is ignored, and so is a folder whose name is not UTF-8. Where there is no home
    /// folder either, `/tmp/vitrine-<user id>` takes the place of `~/.cache`. Nothing is read or made on
    /// disk.
    ///
    /// - Parameter applicationID: such as `org.example.Viewer`. Characters other than letters,
    ///   digits, `.`, `-` and `_` of ASCII become `_`, leading dots too, and at most 128 count, so
    ///   that no identifier leads out of the folder.
    public static func defaultDirectory(applicationID: String) -> String {
        defaultDirectory(applicationID: applicationID) { name in
            getenv(name).flatMap { String(validatingCString: $0) }
        }
    }

    package static func defaultDirectory(
        applicationID: String, environment: (String) -> String?
    ) -> String {
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base =
            absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" }
            ?? "/tmp/vitrine-\(getuid())"
        return "\(base)/\(folderName(applicationID))/vitrine"
    }

    private static func folderName(_ applicationID: String) -> String {
        var name = applicationID.unicodeScalars.prefix(128).map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": Character(scalar)
            default: "_"
            }
        }
        for index in name.indices {
            guard name[index] == "." else { break }
            name[index] = "_"
        }
        return name.isEmpty ? "_" : String(name)
    }
}
