import FoundationEssentials
import Vitrine

/// `vitrine info`: says what pictures are.
enum InfoCommand {
    private static let syntax = CommandSyntax(
        name: "info", synopsis: "URL|FILE|-… [options]",
        summary: "Says what a picture is: format, size, frames, colour, and how it came.",
        options: [
            .partial, .svg, .policy, .json, .fullURLs, .help,
        ],
        details: """
            Example:
              vitrine info photo.heic https://example.org/a.jpg
              cat photo.heic | vitrine info -

            The pixels are read too, so damage is found. With --partial the facts of a damaged picture
            are told, and that it is not complete; the exit status is 1 all the same.
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
        func request(_ text: String) throws(UsageError) -> ImageRequest {
            var request = ImageRequest(try PictureSource(text).url)
            request.cachePolicy = policy
            request.damage = arguments.damage
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
                if !report.complete { status = .failure }
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
                    terminal.complain("\(shown): \(why)")
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
        let data = Data(try PictureSource.bytes("-", limit: limits.maximumBytes))
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
    let colorCodePoints: String?
    let dynamicRange: String
    let hasGainMap: Bool
    let colorModel: String?
    let colorProfile: String?
    let dotsPerInch: [Double]?
    let isProgressive: Bool
    /// Absent if it is played for ever.
    let loops: Int?
    let seconds: Double
    let hasEXIF: Bool
    let hasXMP: Bool
    let hasThumbnail: Bool
    let bytes: Int
    /// False if it is cut short or damaged.
    let complete: Bool
    let source: String
    var status: Int?
    var finalURL: String?
    var contentType: String?

    init(_ name: String, _ response: ImageResponse, fullURLs: Bool) {
        self.init(name, response.image, source: response.source.rawValue)
        guard let http = response.http else { return }
        status = http.status
        contentType = http.headers["content-type"]
        if http.finalURL != response.request.url {
            let text = http.finalURL.absoluteString
            finalURL = fullURLs ? text : PictureSource.shown(text)
        }
    }

    init(_ name: String, _ image: RasterImage, source: String) {
        let info = image.info
        url = name
        format = info.format.rawValue
        width = info.pixelSize.width
        height = info.pixelSize.height
        frames = info.frameCount
        hasAlpha = info.hasAlpha
        bitsPerSample = info.bitsPerSample
        orientation = info.orientation
        hasColorProfile = info.hasColorProfile
        colorModel = info.colorModel?.rawValue
        colorProfile = info.colorProfileName
        colorCodePoints = info.colorCodePoints?.description
        dynamicRange = (info.colorCodePoints?.dynamicRange ?? .standard).rawValue
        hasGainMap = info.hasGainMap
        dotsPerInch = info.resolution.map { resolution in
            [resolution.horizontal, resolution.vertical].map { ($0 * 100).rounded() / 100 }
        }
        isProgressive = info.isProgressive
        loops = info.loopCount
        seconds = (Readable.seconds(info.duration) * 1000).rounded() / 1000
        hasEXIF = info.hasEXIF
        hasXMP = info.hasXMP
        hasThumbnail = info.hasThumbnail
        bytes = info.byteCount
        complete = image.isComplete
        self.source = source
    }

    var json: String { JSONText.of(self) }

    var text: String {
        let kind = isProgressive ? "\(format), progressive" : format
        var rows = [
            ("format", kind), ("size", "\(width) × \(height)"), ("frames", playing),
            ("colour", "\(colorModel.map { "\($0), " } ?? "")\(bitsPerSample) bits a sample"),
            ("alpha", hasAlpha ? "yes" : "no"),
            ("profile", colorProfile ?? (hasColorProfile ? "yes, without a name" : "no")),
            ("orientation", orientation == 1 ? "upright" : "\(orientation) (as stored; EXIF)"),
        ]
        if let colorCodePoints { rows.append(("code points", colorCodePoints)) }
        if dynamicRange != DynamicRange.standard.rawValue {
            rows.append(("range", "\(dynamicRange), shown for a standard display"))
        }
        if hasGainMap { rows.append(("gain map", "yes, not applied")) }
        if let dotsPerInch {
            let numbers = Set(dotsPerInch).count == 1 ? [dotsPerInch[0]] : dotsPerInch
            let text = numbers.map { $0 == $0.rounded() ? "\(Int($0.rounded()))" : "\($0)" }
            rows.append(("resolution", "\(text.joined(separator: " × ")) dots per inch"))
        }
        let embedded = [(hasEXIF, "EXIF"), (hasXMP, "XMP"), (hasThumbnail, "a thumbnail")]
            .filter(\.0).map(\.1)
        if !embedded.isEmpty { rows.append(("metadata", embedded.joined(separator: ", "))) }
        rows += [("bytes", Readable.bytes(bytes)), ("from", source)]
        if !complete { rows.append(("complete", "no, it is cut short or damaged")) }
        if let status { rows.append(("status", "\(status)")) }
        if let contentType { rows.append(("type", contentType)) }
        if let finalURL { rows.append(("redirected", finalURL)) }
        return rows.reduce(url) { text, row in
            let padding = String(repeating: " ", count: 13 - row.0.count)
            return text + "\n  \(row.0)\(padding)\(row.1)"
        }
    }

    /// How many frames, and how they are played.
    private var playing: String {
        guard seconds > 0 else { return "\(frames)" }
        let times = loops.map { $0 == 1 ? "once" : "\($0) times" } ?? "for ever"
        return "\(frames), \(seconds) s, \(times)"
    }
}
