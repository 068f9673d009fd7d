import FoundationEssentials
import Vitrine

/// What `vitrine get` says of its work, to people and to programs.
enum GetReport {
    /// A file that was written.
    struct Written: Sendable {
        let path: String
        let format: String
        let bytes: Int
        /// Frames of an animation that the format cannot hold, and nobody has said that they may go.
        let droppedFrames: Int
    }

    /// A picture that arrived.
    struct Arrived: Encodable {
        let url: String
        let path: String
        let width: Int
        let height: Int
        /// Of the file written, as are path, size and bytes.
        let format: String
        let sourceFormat: String
        let bytes: Int
        let source: String
        /// Of the bytes that came over the network, those that an earlier run had brought; absent if it
        /// was not cut off.
        let resumedBytes: Int?
        let milliseconds: Double
        /// False for the part of a damaged picture.
        let complete: Bool
        /// Absent if there are none.
        let droppedFrames: Int?

        init(url: String, _ written: Written, _ response: ImageResponse) {
            self.url = url
            path = written.path
            bytes = written.bytes
            width = response.image.pixelSize.width
            height = response.image.pixelSize.height
            format = written.format
            sourceFormat = response.image.info.format.rawValue
            source = response.source.rawValue
            resumedBytes = response.resumedBytes > 0 ? response.resumedBytes : nil
            droppedFrames = written.droppedFrames > 0 ? written.droppedFrames : nil
            complete = response.image.isComplete
            milliseconds = (Readable.seconds(response.timings.total) * 1e5).rounded() / 100
        }

        var isFromNetwork: Bool { source == ImageResponse.Source.network.rawValue }

        /// Tab-separated: path, size and format of the file, where it came from, time, URL, and
        /// "incomplete" if it is.
        var line: String {
            let time = Readable.time(.microseconds(Int(milliseconds * 1000)))
            let origin = resumedBytes == nil ? source : "\(source) (resumed)"
            let fields = [path, "\(width)x\(height)", format, origin, time, url]
            return (fields + (complete ? [] : ["incomplete"])).map(Terminal.field)
                .joined(separator: "\t")
        }

        var json: String { JSONText.of(self) }
    }

    /// What is said of an animation of which a single frame was written.
    static func warning(of picture: Arrived) -> String? {
        guard let dropped = picture.droppedFrames else { return nil }
        let frames = dropped == 1 ? "1 frame is" : "\(dropped) frames are"
        return
            "\(Terminal.field(picture.url)): \(frames) dropped, since \(picture.format) keeps no "
            + "animation; webp and gif do, and --still says that one is wanted."
    }

    /// The line that tells why a picture is not there.
    static func failure(of url: String, _ why: String) -> String {
        "\(Terminal.field(url)): \(Terminal.field(why))"
    }

    /// A picture that did not arrive.
    struct Failed: Encodable {
        let url: String
        let error: String
        /// The sort of failure, a word for programs: see ``FailureKind``.
        let kind: String

        var json: String { JSONText.of(self) }
    }
}
