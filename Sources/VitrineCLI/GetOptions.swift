import FoundationEssentials
import Vitrine

/// What `vitrine get` was asked to do, read from its command line.
struct GetOptions {
    var sources: [String] = []
    var output = "."
    var targetSize: TargetSize?
    var filters: [any ImageFilter] = []
    var format: EncodingFormat?
    var quality: Int?
    var jobs = 4
    var policy = CachePolicy.standard
    var allowsSVG = false
    var json = false
    var fullURLs = false

    static let syntax = CommandSyntax(
        name: "get", synopsis: "URL… [options]",
        summary: """
            Fetches pictures, makes of them what is asked, and writes them into a folder. A URL may
            also be the path of a file. Without options that change the picture, the bytes are kept
            as they came. What was fetched is cached, so that a second run asks only what is needed.
            """,
        options: [
            .init(name: "--output", short: "-o", value: "DIR", help: "the folder to write to (.)"),
            .init(
                name: "--from", value: "FILE",
                help: "read more URLs from a file, one a line; - is standard input"),
            .init(name: "--fit", value: "WxH", help: "shrink to fit into this size, in pixels"),
            .init(
                name: "--fill", value: "WxH", help: "exactly this size, what stands out is cut off"),
            .init(name: "--circle", help: "cut out the largest circle"),
            .init(name: "--round", value: "R", help: "round the corners with this radius"),
            .init(name: "--blur", value: "R", help: "blur by this standard deviation"),
            .init(name: "--tint", value: "RRGGBB", help: "give it one colour, keep its luminance"),
            .init(
                name: "--filter", value: "NAME:key=value,…",
                help: "apply a filter of the list below; --filter help\nshows the list alone"),
            .init(
                name: "--format", value: "F",
                help: """
                    png, jpeg, webp, avif or gif (what the source was,
                    or png where that cannot be); webp and gif keep
                    animations
                    """),
            .init(name: "--quality", value: "Q", help: "of jpeg, webp and avif, from 1 to 100"),
            .init(name: "--jobs", short: "-j", value: "N", help: "downloads at once (4)"),
            .svg, .policy, .json, .fullURLs, .help,
        ],
        details: """
            Examples:
              vitrine get https://example.org/a.jpg https://example.org/b.webp -o pictures
              vitrine get --from list.txt --fill 256x256 --circle --format png -o avatars
              sort -u urls | vitrine get --from - --json | jq .path

            Changes are made in the order: size, then filters as they are given.

            \(filterList)
            """)

    /// All filters that have a name, with their parameters.
    static var filterList: String {
        let filters = NamedFilter.all.map(\.help).joined(separator: "\n").split(separator: "\n")
        return """
            Filters, with the defaults of their parameters; N is a number. Points are pixels here.
            \(filters.map { "  \($0)" }.joined(separator: "\n"))
            """
    }

    init(_ arguments: Arguments) throws(UsageError) {
        sources = arguments.operands
        for given in arguments.options {
            let value = given.value ?? ""
            switch given.name {
            case "--from": sources += try PictureSource.list(value)
            case "--output": output = value.isEmpty ? "." : value
            case "--fit", "--fill":
                guard targetSize == nil else {
                    throw UsageError("Only one of --fit and --fill can be given, once.")
                }
                let (width, height) = try Self.size(given.name, value)
                targetSize =
                    given.name == "--fit"
                    ? .fit(width: width, height: height) : .fill(width: width, height: height)
            case "--circle": filters.append(.circle)
            case "--round":
                guard let radius = Double(value), radius >= 0, radius.isFinite else {
                    throw UsageError("--round takes a number from 0 up, not \"\(value)\".")
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
        quality = try arguments.integer("--quality", in: 1...100)
        jobs = try arguments.integer("--jobs", in: 1...256) ?? jobs
        policy = try arguments.policy ?? policy
        allowsSVG = arguments.has("--svg")
        json = arguments.has("--json")
        fullURLs = arguments.has("--full-urls")
        guard !sources.isEmpty else {
            throw UsageError("No URL was given; see vitrine get --help.")
        }
    }

    /// Whether the picture is to be encoded anew.
    var changesPicture: Bool {
        targetSize != nil || !filters.isEmpty || format != nil || quality != nil
    }

    private static func size(_ option: String, _ text: String) throws(UsageError) -> (Int, Int) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...100_000).contains(width), (1...100_000).contains(height)
        else { throw UsageError("\(option) takes a size such as 640x480, not \"\(text)\".") }
        return (width, height)
    }
}
