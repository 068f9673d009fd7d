import CGTK
import DisplaySupport
import Foundation
import Vitrine
import VitrineGTK

/// How soon after its start a program has painted an empty window, and how soon one with a picture that
/// is in its disk cache: a process of its own for each, so that nothing is warm but the disk.
@MainActor enum FirstPaint {
    /// What such a process is asked for.
    enum Kind {
        case empty
        case picture(URL, folder: String)

        init?(_ words: [String]) {
            switch words.first {
            case "first-empty": self = .empty
            case "first-picture" where words.count == 3:
                guard let url = URL(string: words[1]) else { return nil }
                self = .picture(url, folder: words[2])
            default: return nil
            }
        }

        var words: [String] {
            switch self {
            case .empty: ["first-empty"]
            case .picture(let url, let folder): ["first-picture", url.absoluteString, folder]
            }
        }
    }

    /// Medians, in milliseconds.
    struct Result {
        /// From the start of a program to the first paint of its empty window.
        var empty: Double
        /// By how much later than that another program has painted its first picture.
        var difference: Double
        /// The same after the first paint of the picture's own window.
        var own: Double
    }

    /// Runs pairs of such processes, by turns.
    static func measure(pairs: Int, url: URL, folder: String) async throws -> Result {
        var empty: [Double] = []
        var difference: [Double] = []
        var own: [Double] = []
        for _ in 0..<pairs {
            let first = try await times(of: .empty)
            let second = try await times(of: .picture(url, folder: folder))
            guard first.count == 1, second.count == 2 else {
                throw BenchFailure("A program has painted nothing.")
            }
            empty.append(first[0])
            difference.append(second[1] - first[0])
            own.append(second[1] - second[0])
        }
        return Result(
            empty: empty.quantile(0.5), difference: difference.quantile(0.5),
            own: own.quantile(0.5))
    }

    private static func times(of kind: Kind) async throws -> [Double] {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = kind.words
        let output = Pipe()
        process.standardOutput = output
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let said = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return said.split(separator: "\n").compactMap { Double($0) }
    }

    /// The process itself: prints the milliseconds to its first paint, and to that of its picture.
    static func run(_ kind: Kind) throws {
        let start = now()
        alarm(60)  // a picture that does not come must not be waited for
        guard gtk_init_check() != 0, let window = gtk_window_new(), let picture = gtk_picture_new()
        else { throw BenchFailure("There is no display.") }
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(top, 400, 300)
        var picturePaint: Double?
        if case .picture(let url, let folder) = kind {
            try MainLoop.attach()
            gtk_window_set_child(top, picture)
            var options = ImageOptions()
            options.loader = BenchPictures.loader(folder: folder)
            options.layout = ImageLayout.none
            var request = ImageRequest(url)
            request.cachePolicy = .cacheOnly
            picture.vitrine.setImage(from: request, options: options)
        } else {
            picturePaint = 0
        }
        gtk_window_present(top)
        let watch = try FrameClockWatch(of: window)
        let loop = g_main_loop_new(nil, 0)
        var firstPaint: Double?
        var isThere = false
        watch.on("before-paint") {
            isThere = picture.vitrine.paintable()?.content.image != nil
        }
        watch.on("after-paint") {
            let time = (now() - start) * 1000
            if firstPaint == nil { firstPaint = time }
            if isThere, picturePaint == nil { picturePaint = time }
            if picturePaint != nil { g_main_loop_quit(loop) }
        }
        g_main_loop_run(loop)
        watch.end()
        if let firstPaint { print(firstPaint) }
        if case .picture = kind, let picturePaint { print(picturePaint) }
        fflush(nil)
    }
}
