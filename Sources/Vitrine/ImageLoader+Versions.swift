import VitrineHTTP
import VitrineImaging
import VitrineStorage

extension ImageLoader {
    /// The C libraries that are loaded, and their versions.
    package static var libraryVersions: [(name: String, version: String)] {
        [
            ("libvips", libvipsVersion()), ("libcurl", libcurlVersion()),
            ("SQLite", sqliteVersion()),
        ]
    }
}
