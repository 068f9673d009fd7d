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
        guard let arguments = try Arguments.unlessHelp(words, GetOptions.syntax, terminal) else {
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
            loader: options.fetching.loader(options.configuration))
        let task = Task { await command.run() }
        Interruption.beforeEnd {
            // What has arrived is kept, and the next run goes on from there.
            task.cancel()
            _ = await task.value
        }
        let status = await task.value
        if task.isCancelled { await Interruption.awaitEnd() }
        return status
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
        case arrived(GetReport.Arrived, received: Int)
        case failed(String, why: String, kind: String)
    }

    private func run() async -> Program.Status {
        // One line that stands in the list twice is one picture.
        var seen: Set<String> = []
        let sources = options.sources.filter { seen.insert($0).inserted }
        let progress = GetProgress(asked: sources.count)
        let showing = showsStatus ? Task { await show(progress) } : nil

        await withTaskGroup(of: Outcome.self) { group in
            var rest = sources[...]
            var names = PictureNames(
                mayChangeExtension: options.changesAll || options.targetSize != nil)
            func startNext() {
                guard !Task.isCancelled, let text = rest.popFirst() else { return }
                let source = Result { () throws(UsageError) in try PictureSource(text) }
                let name = (try? source.get()).map { names.next($0.url) } ?? ""
                group.addTask { await fetch(text, source, name) }
            }
            for _ in 0..<options.lookAhead { startNext() }
            for await outcome in group {
                startNext()
                // What a signal has ended is no failure.
                if Task.isCancelled, case .failed = outcome { continue }
                report(outcome, progress)
            }
        }
        showing?.cancel()
        await showing?.value
        terminal.show(status: "")
        let isWhole = progress.summary.isWhole
        if !options.json, !options.quiet {
            let ending = Task.isCancelled ? "Interrupted: " : ""
            terminal.complain(ending + progress.summary.text(after: progress.elapsed))
        }
        await loader.waitUntilIdle()
        return isWhole ? .success : .failure
    }

    private var showsStatus: Bool { terminal.showsStatus && !options.quiet }

    /// Keeps the status line up to date, until it is cancelled.
    private func show(_ progress: GetProgress) async {
        while !Task.isCancelled {
            terminal.show(status: progress.status)
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func report(_ outcome: Outcome, _ progress: GetProgress) {
        switch outcome {
        case .arrived(let arrived, let received):
            progress.add(arrived, received: received)
            if !options.quiet { terminal.say(options.json ? arrived.json : arrived.line) }
        case .failed(let url, let why, let kind):
            progress.addFailure()
            if options.json {
                terminal.say(GetReport.Failed(url: url, error: why, kind: kind).json)
            } else {
                terminal.complain("\(url): \(why)")
            }
        }
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
        var request = options.fetching.request(url)
        request.filters = options.filters
        request.targetSize = options.targetSize
        let response: ImageResponse
        do throws(ImageError) {
            response = try await loader.response(for: request)
        } catch {
            return .failed(
                shown(text), why: PictureSource.explain(error, text), kind: FailureKind.of(error))
        }
        do {
            let written = try await workers.run { try write(response, name) }
            let received = response.source == .network ? response.data?.count ?? 0 : 0
            return .arrived(
                GetReport.Arrived(url: shown(text), written, response), received: received)
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
