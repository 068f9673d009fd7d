import FoundationEssentials
import Vitrine

/// What `vitrine get` says of its work, to people and to programs.
enum GetReport {
    /// A file that was written.
    struct Written: Sendable {
        let path: String
        let format: String
        let bytes: Int
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
        let milliseconds: Double
        /// False for the part of a damaged picture.
        let complete: Bool

        init(url: String, _ written: Written, _ response: ImageResponse) {
            self.url = url
            path = written.path
            bytes = written.bytes
            width = response.image.pixelSize.width
            height = response.image.pixelSize.height
            format = written.format
            sourceFormat = response.image.info.format.rawValue
            source = response.source.rawValue
            complete = response.image.isComplete
            milliseconds = (Readable.seconds(response.timings.total) * 1e5).rounded() / 100
        }

        /// Tab-separated: path, size and format of the file, where it came from, time, URL, and
        /// "incomplete" if it is.
        var line: String {
            let time = Readable.time(.microseconds(Int(milliseconds * 1000)))
            let fields = [path, "\(width)x\(height)", format, source, time, url]
            return (fields + (complete ? [] : ["incomplete"])).joined(separator: "\t")
        }

        var json: String { JSONText.of(self) }
    }

    /// A picture that did not arrive.
    struct Failed: Encodable {
        let url: String
        let error: String
        /// The sort of failure, a word for programs: see ``FailureKind``.
        let kind: String

        var json: String { JSONText.of(self) }
    }

    /// The count of a run.
    struct Summary {
        let asked: Int
        var arrived = 0
        /// Of those that arrived.
        var incomplete = 0
        var failed = 0
        var bytes = 0
        var sources: [String: Int] = [:]

        init(asked: Int) { self.asked = asked }

        mutating func add(_ picture: Arrived) {
            arrived += 1
            if !picture.complete { incomplete += 1 }
            bytes += picture.bytes
            sources[picture.source, default: 0] += 1
        }

        /// Whether everything arrived, and nothing of it is missing.
        var isWhole: Bool { arrived == asked && incomplete == 0 }

        /// The line that a terminal shows while it goes on.
        var status: String {
            let done = "\(arrived + failed) of \(asked)"
            let failures = failed == 0 ? "" : ", \(failed) failed"
            return "\(done), \(Readable.bytes(bytes))\(failures)"
        }

        /// The last line.
        func text(after time: Duration) -> String {
            let from = sources.sorted { $0.key < $1.key }
                .map { "\($0.value) \($0.key == "file" && $0.value > 1 ? "files" : $0.key)" }
                .joined(separator: ", ")
            let origin = from.isEmpty ? "" : " (\(from))"
            let parts = incomplete == 0 ? "" : ", \(incomplete) incomplete"
            return "\(arrived) of \(asked) arrived\(origin)\(parts), "
                + "\(Readable.bytes(bytes)) written in \(Readable.time(time))"
        }
    }
}
