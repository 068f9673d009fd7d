import FoundationEssentials
import OriginSupport
import VitrineImaging

/// Our own pictures behind an HTTP server in this process, which counts what it is asked.
struct PictureOrigin {
    /// How often it was asked.
    struct Count {
        let total: Int
        /// Whether each picture was asked for exactly once.
        let isOncePerPicture: Bool
    }

    /// About a round trip to another continent.
    private static let delay = 100

    let urls: [String]
    private let server: OriginServer
    private let paths: [String]

    init(folder: String) throws {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw DemoFailure("There are no pictures in \(folder); make demo makes them.")
        }
        server = try OriginServer.start()
        let served = try server.serve(
            folder: folder, maximumAge: 3600, delay: .milliseconds(Self.delay)
        ) { bytes in
            RasterFormat(sniffing: bytes)?.mimeTypes.first ?? "application/octet-stream"
        }
        // By format, and in a format by number: names are such as badge-06.png.
        let sorted = served.sorted { first, second in
            let keys = [first, second].map { url in
                let name = url.deletingPathExtension().lastPathComponent
                return name.split(separator: "-").last.flatMap { Int($0) } ?? .max
            }
            return keys[0] < keys[1]
        }
        urls = sorted.map(\.absoluteString)
        paths = sorted.map { $0.path(percentEncoded: true) }
    }

    var title: String {
        "\(urls.count) pictures from \(server.address()), which holds each answer back for "
            + "\(Self.delay) ms"
    }

    /// How often it was asked since the last time.
    func takeCount() -> Count {
        defer { server.forget() }
        return Count(
            total: server.requestCount,
            isOncePerPicture: paths.allSatisfy { server.requests(for: $0).count == 1 })
    }

    func problems(cold: Count, later: Count) -> [String] {
        var problems: [String] = []
        if cold.total != urls.count || !cold.isOncePerPicture {
            problems.append(
                "The cold run made \(cold.total) requests for \(urls.count) pictures, "
                    + "not one for each.")
        }
        if later.total != 0 {
            problems.append("Later runs made \(later.total) requests; all should be cached.")
        }
        return problems
    }
}
