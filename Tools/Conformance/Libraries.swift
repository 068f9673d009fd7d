import FoundationEssentials
import Glibc
import VitrineImaging

/// The codecs that this process has loaded, by the names of their files, which carry versions.
enum Libraries {
    static var text: String {
        let known = [
            "libjpeg", "libpng", "libspng", "libwebp", "libheif", "libde265", "libdav1d", "libaom",
            "libjxl", "libopenjp2", "libtiff", "liblcms2", "libavif", "librsvg",
        ]
        var found: Set<String> = []
        for line in maps.split(separator: "\n") {
            guard let file = line.split(separator: "/").last, file.contains(".so.") else {
                continue
            }
            let stem = file.prefix { $0 != "." && $0 != "-" }
            // libpng16 and the like.
            if known.contains(where: { stem.hasPrefix($0) && stem.count <= $0.count + 2 }) {
                found.insert(String(file))
            }
        }
        return "libvips \(libvipsVersion()) and, as loaded, "
            + found.sorted().joined(separator: ", ")
    }

    /// What is mapped into this process; a file without a length, which has to be read to its end.
    private static var maps: String {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[0..<count]
        }
    }
}
