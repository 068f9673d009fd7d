import Foundation
import OriginSupport
import PixelSupport
import VitrineBase

extension Workbench {
    /// Has the origin answer by a path's number: with a picture, too late, with an error, with a part, or
    /// never.
    func lie(_ header: OriginHeader) throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        origin.routeOthers(
            .dynamic { request in
                switch (Int(request.path.dropFirst()) ?? 0) % 10 {
                case 0: .status(500)
                case 1: .truncated(png, sent: 100)
                case 2: .reset(afterBytes: 50)
                case 3: .never
                case 4, 5: .delayed(.milliseconds(5), then: .bytes(png))
                case 6: .delayed(.milliseconds(20), then: .status(500))
                default: .bytes(png, headers: [header])
                }
            })
    }
}

/// Tells whether an object is gone.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    private struct Box { weak var object: Object? }
    private let box: Lock<Box>

    init(_ object: Object) { box = Lock(Box(object: object)) }

    var isGone: Bool { box.withLock { $0.object == nil } }
}

/// How many descriptors this process has open.
func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? .max
}
