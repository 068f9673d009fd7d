import FoundationEssentials
import OriginSupport
import VitrineBase
import VitrineImaging

/// A server that does what servers do, well and badly; what it does a path's first word says.
struct SoakOrigin {
    let server: OriginServer

    init() throws {
        let picture = [UInt8](try Self.picture.encoded(as: .jpeg))
        let parts = stride(from: 0, to: picture.count, by: 1 + picture.count / 3).map {
            Array(picture[$0..<min($0 + 1 + picture.count / 3, picture.count)])
        }
        let turn = Lock(0)
        server = try OriginServer.start(remembersRequests: false)
        server.routeOthers(
            .dynamic { request in
                switch request.path.split(separator: "/").first {
                case "kept":
                    .conditional(
                        picture, etag: "\"1\"", headers: ["Cache-Control: max-age=3600"])
                case "stale":
                    .conditional(picture, etag: "\"1\"", headers: ["Cache-Control: no-cache"])
                case "private": .bytes(picture, headers: ["Cache-Control: no-store"])
                case "slow": .delayed(.milliseconds(20), then: .bytes(picture))
                case "parts":
                    .chunked(
                        parts, interval: .milliseconds(1), headers: ["Cache-Control: max-age=60"])
                case "flaky":
                    turn.withLock { turn in
                        turn += 1
                        return turn % 2 == 0 ? .bytes(picture) : .status(503)
                    }
                case "truncated": .truncated(picture, sent: picture.count / 2)
                case "reset": .reset(afterBytes: 200)
                case "text": .bytes(Array("no picture".utf8))
                default: .status(500)
                }
            })
    }

    /// As it comes in a `data:` URL.
    static func dataURL() throws -> URL? {
        URL(string: "data:image/png;base64,\(try picture.encoded(as: .png).base64EncodedString())")
    }

    static var picture: RasterImage {
        get throws {
            let size = PixelSize(width: 96, height: 64)
            return try RasterImage(
                PixelBuffer(size: size, isOpaque: true) { pixels in
                    for index in pixels.indices {
                        pixels[index] =
                            index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 4 % 96 * 2)
                    }
                })
        }
    }
}
