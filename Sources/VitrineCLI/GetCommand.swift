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
        let options = try GetOptions(arguments)
        let folder: OutputFolder
        do throws(OutputFolder.Failure) {
            folder = try OutputFolder(options.output)
        } catch {
            terminal.complain("vitrine: \(error)")
            return .failure
        }
        var configuration = ImageLoader.Configuration.program
        configuration.maximumActiveDownloads = options.jobs
        let command = GetCommand(
            options: options, terminal: terminal, folder: folder,
            loader: ImageLoader(configuration))
        return await command.run()
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
        case failed(String, why: String)
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
            // Enough to keep downloads and decoding busy, without holding the whole list in memory.
            for source in rest.prefix(options.jobs * 2 + 4) {
                group.addTask { await fetch(source) }
            }
            rest = rest.dropFirst(options.jobs * 2 + 4)
            for await outcome in group {
                if let source = rest.popFirst() { group.addTask { await fetch(source) } }
                report(outcome, &summary)
            }
        }
        terminal.show(status: "")
        await loader.waitUntilIdle()
        if !options.json { terminal.complain(summary.text(after: clock.now - start)) }
        return summary.arrived == summary.asked ? .success : .failure
    }

    private func report(_ outcome: Outcome, _ summary: inout GetReport.Summary) {
        switch outcome {
        case .arrived(let arrived):
            summary.add(arrived)
            terminal.say(options.json ? arrived.json : arrived.line)
        case .failed(let url, let why):
            summary.failed += 1
            if options.json {
                terminal.say(GetReport.Failed(url: url, error: why).json)
            } else {
                terminal.complain("\(url): \(why)")
            }
        }
        terminal.show(status: summary.status)
    }

    private func fetch(_ text: String) async -> Outcome {
        let source: PictureSource
        do throws(UsageError) {
            source = try PictureSource(text)
        } catch {
            return .failed(shown(text), why: error.description)
        }
        var request = ImageRequest(source.url, filters: options.filters)
        request.targetSize = options.targetSize
        request.cachePolicy = options.policy
        let response: ImageResponse
        do throws(ImageError) {
            response = try await loader.response(for: request)
        } catch {
            return .failed(shown(text), why: error.reason.description)
        }
        do {
            let (path, bytes) = try await workers.run { try write(response) }
            return .arrived(
                GetReport.Arrived(url: shown(text), path: path, bytes: bytes, response))
        } catch {
            return .failed(shown(text), why: String(describing: error))
        }
    }

    /// Writes the picture, and returns its path and size. Blocks.
    private func write(_ response: ImageResponse) throws -> (path: String, bytes: Int) {
        let data: Data
        let fileExtension: String
        if !options.changesPicture, let original = response.data {
            data = original
            fileExtension = response.image.info.format.fileExtension
        } else {
            let format = options.format ?? EncodingFormat(bestFor: response.image)
            var encoding = EncodeOptions()
            if let quality = options.quality { encoding.quality = quality }
            data = try response.image.encoded(as: format, options: encoding)
            fileExtension = format.rasterFormat.fileExtension
        }
        let name = folder.name(for: response.request.url, fileExtension: fileExtension)
        return (try folder.write(data, name: name), data.count)
    }

    private func shown(_ url: String) -> String {
        options.fullURLs ? url : PictureSource.shown(url)
    }
}
