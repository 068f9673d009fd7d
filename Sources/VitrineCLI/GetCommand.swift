import FoundationEssentials
import Vitrine
import VitrineBase

/// `vitrine get`: fetches pictures into a folder.
struct GetCommand {
    private let options: GetOptions
    private let terminal: Terminal
    private let folder: OutputFolder
    private let loader: ImageLoader
    /// Encoding and writing block, and must not run on Swift's own threads.
    private let workers = BlockingPool(name: "vitrine-write", threads: 2)

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        let arguments = try Arguments(words, GetOptions.syntax)
        if arguments.has("--help") {
            terminal.say(GetOptions.syntax.help)
            return .success
        }
        if arguments.options.contains(.init(name: "--filter", value: "help")) {
            terminal.say(GetOptions.filterList)
            return .success
        }
        let options = try GetOptions(arguments)
        let folder: OutputFolder
        do throws(OutputFolder.Failure) {
            folder = try OutputFolder(options.output)
        } catch {
            terminal.complain("vitrine: \(error)")
            return .failure
        }
        let command = GetCommand(
            options: options, terminal: terminal, folder: folder,
            loader: ImageLoader(options.configuration))
        let task = Task { await command.run() }
        Interruption.beforeEnd {
            // What has arrived is kept, and the next run goes on from there.
            task.cancel()
            await command.loader.waitUntilIdle()
        }
        return await task.value
    }

    private init(
        options: GetOptions, terminal: Terminal, folder: OutputFolder, loader: ImageLoader
    ) {
        self.options = options
        self.terminal = terminal
        self.folder = folder
        self.loader = loader
    }

    /// What became of one source.
    private enum Outcome: Sendable {
        case arrived(GetReport.Arrived)
        case failed(String, why: String, kind: String)
    }

    private func run() async -> Program.Status {
        let clock = ContinuousClock()
        let start = clock.now
        // One line that stands in the list twice is one picture.
        var seen: Set<String> = []
        let sources = options.sources.filter { seen.insert($0).inserted }
        var summary = GetReport.Summary(asked: sources.count)

        await withTaskGroup(of: Outcome.self) { group in
            var rest = sources[...]
            var names = PictureNames(
                mayChangeExtension: options.changesAll || options.targetSize != nil)
            func startNext() {
                guard let text = rest.popFirst() else { return }
                let source = Result { () throws(UsageError) in try PictureSource(text) }
                let name = (try? source.get()).map { names.next($0.url) } ?? ""
                group.addTask { await fetch(text, source, name) }
            }
            // Enough to keep downloads and decoding busy, without holding the whole list in memory.
            for _ in 0..<options.jobs * 2 + 4 { startNext() }
            for await outcome in group where !Task.isCancelled {
                startNext()
                report(outcome, &summary)
            }
        }
        terminal.show(status: "")
        if Task.isCancelled { await Interruption.awaitEnd() }
        await loader.waitUntilIdle()
        if !options.json { terminal.complain(summary.text(after: clock.now - start)) }
        return summary.isWhole ? .success : .failure
    }

    private func report(_ outcome: Outcome, _ summary: inout GetReport.Summary) {
        switch outcome {
        case .arrived(let arrived):
            summary.add(arrived)
            terminal.say(options.json ? arrived.json : arrived.line)
        case .failed(let url, let why, let kind):
            summary.failed += 1
            if options.json {
                terminal.say(GetReport.Failed(url: url, error: why, kind: kind).json)
            } else {
                terminal.complain("\(url): \(why)")
            }
        }
        terminal.show(status: summary.status)
    }

    private func fetch(
        _ text: String, _ source: Result<PictureSource, UsageError>, _ name: String
    ) async -> Outcome {
        let url: URL
        switch source {
        case .success(let source): url = source.url
        case .failure(let error):
            return .failed(shown(text), why: error.description, kind: FailureKind.of(error))
        }
        var request = ImageRequest(url, filters: options.filters)
        request.targetSize = options.targetSize
        request.cachePolicy = options.policy
        request.damage = options.damage
        let response: ImageResponse
        do throws(ImageError) {
            response = try await loader.response(for: request)
        } catch {
            return .failed(
                shown(text), why: PictureSource.explain(error, text), kind: FailureKind.of(error))
        }
        do {
            let written = try await workers.run { try write(response, name) }
            return .arrived(GetReport.Arrived(url: shown(text), written, response))
        } catch {
            return .failed(
                shown(text), why: String(describing: error), kind: FailureKind.of(error))
        }
    }

    /// Writes the picture under this name, with the extension of its format. Blocks.
    private func write(_ response: ImageResponse, _ name: String) throws -> GetReport.Written {
        let picture = try PictureFile(response, options)
        let file = folder.name(name, fileExtension: picture.format.fileExtension)
        let path = try folder.write(picture.data, name: file, from: response.request.url)
        return GetReport.Written(
            path: path, format: picture.format.rawValue, bytes: picture.data.count)
    }

    private func shown(_ url: String) -> String {
        options.fullURLs ? url : PictureSource.shown(url)
    }
}
