import FoundationEssentials
import VitrineImaging

/// The codecs that this process has loaded, by the names of their files, which carry versions.
enum Libraries {
    static var text: String {
        let known = [
            "libjpeg", "libpng", "libspng", "libwebp", "libheif", "libde265", "libdav1d", "libaom",
            "libjxl", "libopenjp2", "libtiff", "liblcms2",
        ]
        guard let maps = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/maps")) else {
            return "libvips \(libvipsVersion())"
        }
        var found: Set<String> = []
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
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
}
