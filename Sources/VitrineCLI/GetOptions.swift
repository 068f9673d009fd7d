import FoundationEssentials
import Vitrine

/// What `vitrine get` was asked to do, read from its command line.
struct GetOptions {
    var inputs: [SourceFeed.Input] = []
    var output = "."
    var targetSize: TargetSize?
    var filters: [any ImageFilter] = []
    /// Whether of an animation only the first frame is wanted.
    var onlyFirstFrame = false
    var format: EncodingFormat?
    var encoding = EncodeOptions()
    /// Whether EXIF and XMP of the source go into what is encoded anew.
    var keepsMetadata = false
    var fetching: FetchOptions
    var jobs = 4
    var json = false
    /// Whether only failures are told.
    var quiet = false
    var fullURLs = false

    init(_ arguments: Arguments) throws(UsageError) {
        fetching = try FetchOptions(arguments)
        for operand in arguments.operands {
            inputs.append(operand == "-" ? .list("-") : .source(operand))
        }
        for given in arguments.options {
            let value = given.value ?? ""
            switch given.name {
            case "--from":
                try ListFile.check(value)
                inputs.append(.list(value))
            case "--output": output = value.isEmpty ? "." : value
            case "--fit", "--fill", "--max":
                guard targetSize == nil else {
                    throw UsageError("Only one of --fit, --fill and --max can be given, once.")
                }
                targetSize = try Self.targetSize(given.name, value)
            case "--circle": filters.append(.circle)
            case "--round":
                guard let radius = Double(value), (0...10_000_000).contains(radius) else {
                    throw UsageError("--round takes a number from 0 to 10000000, not \"\(value)\".")
                }
                filters.append(.roundedCorners(radius: radius))
            case "--blur":
                guard let radius = Double(value), (0...16_000).contains(radius) else {
                    throw UsageError("--blur takes a number from 0 to 16000, not \"\(value)\".")
                }
                filters.append(.blur(radius: radius))
            case "--tint":
                guard let color = Pixel(hex: value) else {
                    throw UsageError("--tint takes a colour such as ff8800, not \"\(value)\".")
                }
                filters.append(.tint(color))
            case "--filter":
                do throws(FilterNameError) {
                    filters.append(try NamedFilter(parsing: value))
                } catch {
                    throw UsageError(error.description)
                }
            case "--format":
                guard let format = EncodingFormat(rawValue: value == "jpg" ? "jpeg" : value) else {
                    throw UsageError(
                        "--format takes png, jpeg, webp, avif or gif, not \"\(value)\".")
                }
                self.format = format
            default: break
            }
        }
        onlyFirstFrame = arguments.has("--still")
        encoding.quality = try arguments.integer("--quality", in: 1...100)
        encoding.effort = try arguments.integer("--effort", in: 0...9)
        encoding.lossless = arguments.has("--lossless")
        keepsMetadata = arguments.has("--metadata")
        jobs = try arguments.integer("--jobs", in: 1...256) ?? jobs
        json = arguments.has("--json")
        quiet = arguments.has("--quiet")
        fullURLs = arguments.has("--full-urls")
        try checkEncoding()
        guard !inputs.isEmpty else { throw Self.nothingGiven }
    }

    /// Also where all lists are empty.
    static let nothingGiven = UsageError("No URL was given; see vitrine get --help.")

    /// What contradicts itself or what the format cannot do is said before anything is fetched.
    private func checkEncoding() throws(UsageError) {
        if encoding.lossless, encoding.quality != nil {
            throw UsageError("Only one of --lossless and --quality can be given.")
        }
        guard let format else { return }
        if encoding.lossless, ![.png, .webp].contains(format) {
            throw UsageError("--lossless goes with png and webp; \(format) changes pixels.")
        }
        if encoding.quality != nil, ![.jpeg, .webp, .avif].contains(format) {
            throw UsageError("--quality goes with jpeg, webp and avif; \(format) has none.")
        }
        if keepsMetadata, format == .gif {
            throw UsageError(
                "--metadata goes with png, jpeg, webp and avif; GIF has no place for them.")
        }
    }

    /// What the pictures are loaded with.
    var configuration: ImageLoader.Configuration {
        var configuration = fetching.configuration
        configuration.maximumActiveDownloads = jobs
        // Who asks for more at once from one server means it.
        configuration.maximumActiveDownloadsPerHost = nil
        return configuration
    }

    /// How many pictures are under way at once: enough to keep downloads and decoding busy, without
    /// holding the whole list in memory. Where each has a time, none spends it waiting for others.
    var lookAhead: Int { fetching.timeout == nil ? jobs * 2 + 4 : jobs }

    /// Whether each picture is to be encoded anew, whatever it is.
    var changesAll: Bool { !filters.isEmpty || format != nil || encoding != EncodeOptions() }

    private static func targetSize(
        _ option: String, _ text: String
    ) throws(UsageError) -> TargetSize {
        if option == "--max" {
            guard let side = side(text) else {
                throw UsageError(
                    "--max takes a whole number from 1 to \(longestSide), not \"\(text)\".")
            }
            return .maximum(side)
        }
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = side(parts[0]), let height = side(parts[1]) else {
            throw UsageError("\(option) takes a size such as 640x480, not \"\(text)\".")
        }
        return option == "--fit"
            ? .fit(width: width, height: height) : .fill(width: width, height: height)
    }

    private static let longestSide = 100_000

    private static func side(_ text: some StringProtocol) -> Int? {
        Int(text).flatMap { (1...longestSide).contains($0) ? $0 : nil }
    }
}
