import FoundationEssentials
import Glibc

/// Runs the decoders over files that others made, and says in Markdown how that went.
///
///     conformance FOLDER [REPORT]
///
/// The exit status is 1 if anything is not as expected and nobody has said why.
@main
enum Conformance {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let path = words.first, words.count <= 2 else {
            complain("usage: conformance FOLDER [REPORT]")
            exit(2)
        }
        let folder = URL(fileURLWithPath: path)
        var reports: [CorpusReport] = []
        for corpus in Self.corpora {
            let files = Files(folder.appending(path: corpus.name))
            guard !files.all.isEmpty else { continue }
            reports.append(CorpusReport(corpus, files))
        }
        guard !reports.isEmpty else {
            complain("There is none of the corpora in \(path).")
            exit(2)
        }
        let text = Report.text(reports)
        print(text, terminator: "")
        if let file = words.dropFirst().first {
            do { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) } catch {
                complain("\(file) cannot be written: \(error)")
                exit(2)
            }
        }
        exit(reports.contains { !$0.unexplained.isEmpty } ? 1 : 0)
    }

    private static let corpora: [any Corpus] = [
        PNGSuite(), BMPSuite(), JPEGDecoderFiles(), GIFFiles(), WebPFiles(), OrientationFiles(),
        AVIFFiles(),
    ]

    private static func complain(_ text: String) {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
