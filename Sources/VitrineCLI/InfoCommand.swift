import FoundationEssentials
import Vitrine

/// `vitrine info`: says what pictures are.
enum InfoCommand {
    private static let syntax = CommandSyntax(
        name: "info", synopsis: "URL|FILE… [options]",
        summary: "Says what a picture is: format, size, frames, colour, and how it came.",
        options: [
            .svg, .policy, .json, .fullURLs, .help,
        ],
        details: """
            Example:
              vitrine info photo.heic https://example.org/a.jpg
            """)

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        let arguments = try Arguments(words, syntax)
        if arguments.has("--help") {
            terminal.say(syntax.help)
            return .success
        }
        guard !arguments.operands.isEmpty else {
            throw UsageError("No URL or file was given; see vitrine info --help.")
        }
        let policy = try arguments.policy ?? .standard
        var configuration = ImageLoader.Configuration.program
        configuration.allowsSVG = arguments.has("--svg")
        let loader = ImageLoader(configuration)
        let json = arguments.has("--json")
        let full = arguments.has("--full-urls")
        var status = Program.Status.success
        for (index, text) in arguments.operands.enumerated() {
            let shown = full ? text : PictureSource.shown(text)
            do {
                let source = try PictureSource(text)
                let report = try await report(source, named: shown, policy, loader, full)
                let separator = index > 0 && !json ? "\n" : ""
                terminal.say(json ? report.json : separator + report.text)
            } catch {
                status = .failure
                let why = (error as? ImageError)?.reason.description ?? String(describing: error)
                if json {
                    terminal.say(JSONText.of(GetReport.Failed(url: shown, error: why)))
                } else {
                    terminal.complain("\(shown): \(why)")
                }
            }
        }
        await loader.waitUntilIdle()
        return status
    }

    private static func report(
        _ source: PictureSource, named name: String, _ policy: CachePolicy, _ loader: ImageLoader,
        _ full: Bool
    ) async throws -> InfoReport {
        var request = ImageRequest(source.url)
        request.cachePolicy = policy
        request.targetSize = .maximum(64)  // the pixels are not looked at
        let response = try await loader.response(for: request)
        return InfoReport(name, response, fullURLs: full)
    }
}

/// What is known of one picture.
private struct InfoReport: Encodable {
    let url: String
    let format: String
    let width: Int
    let height: Int
    let frames: Int
    let hasAlpha: Bool
    let bitsPerSample: Int
    let orientation: Int
    let hasColorProfile: Bool
    let bytes: Int
    let source: String
    var status: Int?
    var finalURL: String?
    var contentType: String?

    init(_ name: String, _ response: ImageResponse, fullURLs: Bool) {
        let info = response.image.info
        url = name
        format = info.format.rawValue
        width = info.pixelSize.width
        height = info.pixelSize.height
        frames = info.frameCount
        hasAlpha = info.hasAlpha
        bitsPerSample = info.bitsPerSample
        orientation = info.orientation
        hasColorProfile = info.hasColorProfile
        bytes = info.byteCount
        source = response.source.rawValue
        guard let http = response.http else { return }
        status = http.status
        contentType = http.headers["content-type"]
        if http.finalURL != response.request.url {
            let text = http.finalURL.absoluteString
            finalURL = fullURLs ? text : PictureSource.shown(text)
        }
    }

    var json: String { JSONText.of(self) }

    var text: String {
        var rows = [
            ("format", "\(format), \(bitsPerSample) bits a sample"),
            ("size", "\(width) × \(height)"),
            ("frames", "\(frames)"),
            ("alpha", hasAlpha ? "yes" : "no"),
            ("profile", hasColorProfile ? "yes" : "no"),
            ("orientation", orientation == 1 ? "upright" : "\(orientation) (as stored; EXIF)"),
            ("bytes", Readable.bytes(bytes)),
            ("from", source),
        ]
        if let status { rows.append(("status", "\(status)")) }
        if let contentType { rows.append(("type", contentType)) }
        if let finalURL { rows.append(("redirected", finalURL)) }
        return rows.reduce(url) { text, row in
            let padding = String(repeating: " ", count: 13 - row.0.count)
            return text + "\n  \(row.0)\(padding)\(row.1)"
        }
    }
}
