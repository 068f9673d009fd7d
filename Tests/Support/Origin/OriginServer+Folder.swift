package import FoundationEssentials
import Glibc

extension OriginServer {
    /// Serves the files of a folder as a web server does: with `Content-Type`, `ETag`,
    /// `Last-Modified` and `Cache-Control`, and with 304 for who has the file already.
    ///
    /// The files are read now; later changes are not seen. Folders within are left out.
    ///
    /// - Parameters:
    ///   - folder: the folder's path.
    ///   - maximumAge: how long an answer stays fresh, in seconds.
    ///   - delay: how long each answer is held back, as on a longer way.
    ///   - type: the media type of a file, from its bytes.
    /// - Returns: the files' URLs in the order of their names.
    package func serve(
        folder: String, maximumAge: Int, delay: Duration, type: (Data) -> String
    ) throws -> [URL] {
        var urls: [URL] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let file = URL(filePath: folder).appending(path: name)
            let facts = try FileManager.default.attributesOfItem(atPath: file.path)
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            let bytes = try Data(contentsOf: file)
            let changed = (facts[.modificationDate] as? Date) ?? Date(timeIntervalSince1970: 0)
            let stamp = Int(changed.timeIntervalSince1970)
            let endpoint = Endpoint.conditional(
                Array(bytes), etag: "\"\(stamp)-\(bytes.count)\"",
                lastModified: Self.httpDate(stamp),
                headers: [
                    OriginHeader("Content-Type", type(bytes)),
                    OriginHeader("Cache-Control", "max-age=\(maximumAge)"),
                ])
            let address = url("/").appending(path: name)
            route(
                address.path(percentEncoded: true),
                delay > .zero ? .delayed(delay, then: endpoint) : endpoint)
            urls.append(address)
        }
        return urls
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
    private static func httpDate(_ secondsSince1970: Int) -> String {
        var seconds = time_t(secondsSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [UInt8](repeating: 0, count: 64)
        // The names of days are English: nothing here calls setlocale.
        let count = text.withUnsafeMutableBytes { bytes in
            strftime(bytes.baseAddress, bytes.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        }
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
