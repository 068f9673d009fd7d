import Glibc

extension DiskStore {
    /// The folder in which an app keeps its store: `$XDG_CACHE_HOME/<app id>/vitrine`, or
    /// `~/.cache/<app id>/vitrine`.
    ///
    /// As the XDG Base Directory Specification asks, an `XDG_CACHE_HOME` that is empty or no
    /// absolute path is ignored, and so is a folder whose name is not UTF-8. Without `HOME` the home folder is
    /// the one that the system knows of the user. Who has none gets a folder below `/nonexistent`, which
    /// cannot be made: a store there fails and says so. A folder in `/tmp` could be somebody else's.
    /// Nothing is made on disk.
    ///
    /// - Parameter applicationID: such as `org.example.Viewer`. Characters other than letters,
    ///   digits, `.`, `-` and `_` of ASCII become `_`, leading dots too, and at most 128 count, so
    ///   that no identifier leads out of the folder.
    public static func defaultDirectory(applicationID: String) -> String {
        defaultDirectory(applicationID: applicationID) { name in
            getenv(name).flatMap { String(validatingCString: $0) }
        } home: {
            homeOfUser()
        }
    }

    package static func defaultDirectory(
        applicationID: String, environment: (String) -> String?, home: () -> String?
    ) -> String {
        func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let base =
            absolute(environment("XDG_CACHE_HOME"))
            ?? (absolute(environment("HOME")) ?? absolute(home()) ?? "/nonexistent") + "/.cache"
        return "\(base)/\(folderName(applicationID))/vitrine"
    }

    /// The home folder that the user database has.
    private static func homeOfUser() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            var (user, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
            guard let base = buffer.baseAddress,
                getpwuid_r(getuid(), &user, base, buffer.count, &found) == 0,
                found != nil, let path = user.pw_dir
            else { return nil }
            return String(validatingCString: path)
        }
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
