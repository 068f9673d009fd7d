import FoundationEssentials
import Vitrine

/// `vitrine info`: says what pictures are.
enum InfoCommand {
    static let syntax = CommandSyntax(
        name: "info", synopsis: "URL|FILE|-… [options]",
        summary: "Says what a picture is: format, size, frames, colour, and how it came.",
        options: CommandSyntax.Option.fetching + [.json, .fullURLs, .help],
        details: """
            Examples:
              vitrine info photo.heic https://example.org/a.jpg
              vitrine info https://example.org/a.jpg --policy revalidate --json
              cat photo.heic | vitrine info -

            Of what came by HTTP it says the status, how long it stays fresh, by what it can be asked
            about again (ETag, Last-Modified), whether it is cached, what the server calls it, and where
            it was redirected to.

            The pixels are read too, so damage is found. With --partial the facts of a damaged picture
            are told, and that it is not complete; the exit status is 1 all the same.
            """)

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        guard let arguments = try Arguments.unlessHelp(words, syntax, terminal) else {
            return .success
        }
        guard !arguments.operands.isEmpty else {
            throw UsageError("No URL or file was given; see vitrine info --help.")
        }
        return try await run(arguments, terminal)
    }

    /// Tells what the operands are.
    static func run(_ arguments: Arguments, _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        let fetching = try FetchOptions(arguments)
        let configuration = fetching.configuration
        let loader = fetching.loader(configuration)
        func request(_ text: String) throws(UsageError) -> ImageRequest {
            var request = fetching.request(try PictureSource(text).url)
            request.targetSize = probeSize
            return request
        }
        let json = arguments.has("--json")
        let full = arguments.has("--full-urls")
        var status = Program.Status.success
        for (index, text) in arguments.operands.enumerated() {
            let shown = full ? text : PictureSource.shown(text)
            do {
                let report =
                    text == "-"
                    ? try await standardInput(configuration.decodeLimits, arguments.damage)
                    : try await report(request(text), named: shown, loader, full)
                if !report.isComplete { status = .failure }
                let separator = index > 0 && !json ? "\n" : ""
                terminal.say(json ? report.json : separator + report.text)
            } catch {
                status = .failure
                let why = PictureSource.explain(error, text)
                if json {
                    terminal.say(
                        JSONText.of(
                            GetReport.Failed(
                                url: shown, error: why, kind: FailureKind.of(error))))
                } else {
                    terminal.complain(GetReport.failure(of: shown, why))
                }
            }
        }
        await loader.waitUntilIdle()
        return status
    }

    /// Small, since nobody looks at the pixels.
    private static let probeSize = TargetSize.maximum(64)

    /// Of all that stands on standard input.
    private static func standardInput(
        _ limits: DecodeLimits, _ damage: DecodeOptions.DamageHandling
    ) async throws -> InfoReport {
        let data = Data(try PictureSource.standardInput(limit: limits.maximumBytes))
        let image = try await RasterImage.decoded(
            from: data,
            options: DecodeOptions(targetSize: probeSize, limits: limits, damage: damage))
        return InfoReport("-", image, source: "input")
    }

    private static func report(
        _ request: ImageRequest, named name: String, _ loader: ImageLoader, _ full: Bool
    ) async throws -> InfoReport {
        InfoReport(name, try await loader.response(for: request), fullURLs: full)
    }
}
