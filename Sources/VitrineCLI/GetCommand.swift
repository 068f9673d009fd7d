import FoundationEssentials
import Vitrine
import VitrineBase

/// `vitrine get`: fetches pictures into a folder.
struct GetCommand {
    private let options: GetOptions
    private let terminal: Terminal
    private let folder: OutputFolder
    private let loader: ImageLoader
    private let feed: SourceFeed
    private let progress: GetProgress
    private let isFirstUnkept = Lock(true)
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
            terminal.complain(of: error)
            return .failure
        }
        let command = GetCommand(options, terminal, folder)
        let task = Task { await command.run() }
        Interruption.beforeEnd {
            // What has arrived is kept, and the next run goes on from there.
            task.cancel()
            // Some work cannot be stopped, and is not waited for.
            let late = Task {
                try? await Task.sleep(for: .milliseconds(600))
                command.sayEnd(isInterrupted: true)
            }
            _ = await task.value
            late.cancel()
        }
        let status = await task.value
        if task.isCancelled { await Interruption.awaitEnd() }
        return status
    }

    private init(_ options: GetOptions, _ terminal: Terminal, _ folder: OutputFolder) {
        self.options = options
        self.terminal = terminal
        self.folder = folder
        loader = options.fetching.loader(options.configuration)
        feed = SourceFeed()
        progress = GetProgress(of: feed)
    }

    private func run() async -> Program.Status {
        let showing = showsStatus ? Task { await show() } : nil
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await feed.read(options.inputs) { terminal.complain(of: $0) }
                }
                for _ in 0..<options.lookAhead {
                    group.addTask {
                        while let entry = await feed.next() { await get(entry) }
                    }
                }
            }
        } onCancel: {
            feed.stop()
        }
        showing?.cancel()
        await showing?.value
        let summary = progress.summary
        if summary.asked == 0, !Task.isCancelled {
            terminal.endStatus()
            guard summary.brokenLists == 0 else { return .failure }
            terminal.complain(of: GetOptions.nothingGiven)
            return .usage
        }
        sayEnd(isInterrupted: Task.isCancelled)
        await loader.waitUntilIdle()
        return summary.isWhole ? .success : .failure
    }

    /// The last line, once.
    private func sayEnd(isInterrupted: Bool) {
        guard progress.mayEnd else { return }
        terminal.endStatus()
        guard !options.json, !options.quiet else { return }
        let summary = progress.summary.text(after: progress.elapsed)
        terminal.complain((isInterrupted ? "Interrupted: " : "") + summary)
    }

    private var showsStatus: Bool { terminal.showsStatus && !options.quiet }

    /// Keeps the status line up to date, until it is cancelled.
    private func show() async {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            terminal.show(progress.status)
        }
    }

    // MARK: One picture

    private func get(_ entry: SourceFeed.Entry) async {
        let number = progress.begin()
        do {
            let response = try await load(entry, number)
            let written = try await workers.run { try write(response, entry.name) }
            let arrived = GetReport.Arrived(url: shown(entry.text), written, response)
            progress.arrive(number, arrived, receivedBytes: response.data?.count ?? 0)
            tell(arrived, response)
        } catch {
            // What a signal has ended is no failure.
            guard !Task.isCancelled else { return }
            progress.fail(number)
            tell(error, of: entry.text)
        }
    }

    private func load(
        _ entry: SourceFeed.Entry, _ number: Int
    ) async throws -> ImageResponse {
        var request = options.fetching.request(try entry.source.get().url)
        request.filters = options.filters
        request.targetSize = options.targetSize
        let task = loader.task(for: request)
        return try await withTaskCancellationHandler {
            for await event in task.events {
                if case .progress(let news) = event { progress.advance(number, news) }
            }
            return try await task.response
        } onCancel: {
            task.cancel()
        }
    }

    private func tell(_ arrived: GetReport.Arrived, _ response: ImageResponse) {
        if response.keeping == .failed, isFirstUnkept.withLock({ Self.take(&$0) }) {
            terminal.complain(
                "vitrine: What is fetched cannot be kept in the cache \(CacheCommand.directory), so "
                    + "the next run fetches it again.")
        }
        guard !options.quiet else { return }
        terminal.say(options.json ? arrived.json : arrived.line)
        if !options.json, let warning = GetReport.warning(of: arrived) {
            terminal.complain(warning)
        }
    }

    private func tell(_ error: any Error, of text: String) {
        let why = PictureSource.explain(error, text)
        if options.json {
            terminal.say(
                GetReport.Failed(url: shown(text), error: why, kind: FailureKind.of(error)).json)
        } else {
            terminal.complain(GetReport.failure(of: shown(text), why))
        }
    }

    private static func take(_ value: inout Bool) -> Bool {
        defer { value = false }
        return value
    }

    /// Writes the picture under this name, with the extension of its format. Blocks.
    private func write(_ response: ImageResponse, _ name: String) throws -> GetReport.Written {
        let picture = try PictureFile(response, options)
        let path = try folder.write(
            picture.data, name: "\(name).\(picture.format.fileExtension)",
            from: response.request.url)
        return GetReport.Written(
            path: path, format: picture.format.rawValue, bytes: picture.data.count,
            droppedFrames: picture.droppedFrames)
    }

    private func shown(_ url: String) -> String {
        options.fullURLs ? url : PictureSource.shown(url)
    }
}
