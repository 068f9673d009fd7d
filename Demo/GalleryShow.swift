import FoundationEssentials

/// Our own pictures, and one that is not there, in the real `vitrine-gallery`.
enum GalleryShow {
    /// Serves them until the window is closed; returns the program's exit status.
    static func run(_ options: [String]) throws -> Int32 {
        let program = try Program.beside("vitrine-gallery", madeBy: "make demo-gallery")
        let origin = try PictureOrigin(folder: Show.folder + "/pictures")
        // The port is another one each time, so that nothing kept could be of use.
        let cache = Show.folder + "/gallery-cache"
        if FileManager.default.fileExists(atPath: cache) {
            try FileManager.default.removeItem(atPath: cache)
        }
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CACHE_HOME"] = cache
        if options.contains("--screenshot") {
            // As on GNOME's desktop, whatever the one is on which this runs.
            let settings = Show.folder + "/settings/gtk-4.0"
            try FileManager.default.createDirectory(
                atPath: settings, withIntermediateDirectories: true)
            try Data("[Settings]\ngtk-font-name=Cantarell 11\n".utf8)
                .write(to: URL(filePath: settings + "/settings.ini"))
            environment["XDG_CONFIG_HOME"] = Show.folder + "/settings"
            environment["GSETTINGS_BACKEND"] = "memory"
            environment["GTK_A11Y"] = "none"
        }
        let missing = origin.urls.first.flatMap {
            URL(string: "/missing.jpg", relativeTo: URL(string: $0))
        }
        let urls = origin.urls + [missing?.absoluteString].compactMap { $0 }
        Text.say("\(origin.title); the gallery shows them, and one that is not there.")
        return try Child(program, options + urls, environment: environment).status
    }
}
