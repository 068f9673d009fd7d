import FoundationEssentials
import Glibc
import Vitrine

/// `vitrine show`: shows pictures in the terminal.
struct ShowCommand {
    static let syntax = CommandSyntax(
        name: "show", synopsis: "URL|FILE|-… [options]",
        summary: """
            Shows pictures in the terminal, as large as it is at most: by the graphics protocol of
            kitty where the terminal says that it has it, else as half blocks in 24-bit colours; of an
            animation the first frame. In a pipe, and where NO_COLOR is set, a line tells of each.
            """,
        options: [
            .init(name: "--width", short: "-w", value: "N", help: "at most so many columns"),
            .init(name: "--height", value: "N", help: "at most so many lines"),
            .init(
                name: "--kitty", help: "use kitty's graphics protocol, whatever the terminal says"),
            .init(name: "--blocks", help: "use half blocks, also in a pipe"),
            .init(name: "--text", help: "show no picture, only the line"),
            .init(
                name: "--json",
                help: """
                    show no picture, but tell what it is, as vitrine info
                    --json does
                    """),
            .init(
                name: "--background", value: "RRGGBB",
                help: """
                    with what half blocks mix what is partly transparent
                    (white where COLORFGBG says so, else black)
                    """),
        ] + CommandSyntax.Option.fetching + [.fullURLs, .help],
        details: """
            Examples:
              vitrine show photo.heic
              vitrine show https://example.org/a.png --width 40
              vitrine show photo.heic --blocks | less -R
            """)

    private let style: PictureStyle
    /// In pixels.
    private let size: TargetSize
    private let background: Pixel
    private let damage: DecodeOptions.DamageHandling
    private let limits: DecodeLimits
    private let loader: ImageLoader
    private let fetching: FetchOptions
    private let terminal: Terminal

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        guard let arguments = try Arguments.unlessHelp(words, syntax, terminal) else {
            return .success
        }
        guard !arguments.operands.isEmpty else {
            throw UsageError("No URL or file was given; see vitrine show --help.")
        }
        if arguments.has("--json") {
            guard !["--kitty", "--blocks", "--text"].contains(where: arguments.has) else {
                throw UsageError("--json shows no picture, and goes with no way to show one.")
            }
            return try await InfoCommand.run(arguments, terminal)
        }
        let command = try ShowCommand(arguments, terminal)
        let showsNames = arguments.operands.count > 1
        var status = Program.Status.success
        for text in arguments.operands {
            let shown = arguments.has("--full-urls") ? text : PictureSource.shown(text)
            do {
                if showsNames, command.style != .text { terminal.say(Terminal.field(shown)) }
                let image = try await command.image(text)
                if !image.isComplete { status = .failure }
                try await command.show(image, named: shown)
            } catch {
                status = .failure
                terminal.complain(
                    GetReport.failure(of: shown, PictureSource.explain(error, text)))
            }
        }
        await command.loader.waitUntilIdle()
        return status
    }

    private init(_ arguments: Arguments, _ terminal: Terminal) throws(UsageError) {
        self.terminal = terminal
        let styles = [("--kitty", PictureStyle.kitty), ("--blocks", .blocks), ("--text", .text)]
            .filter { arguments.has($0.0) }.map(\.1)
        guard styles.count <= 1 else {
            throw UsageError("Only one of --kitty, --blocks and --text can be given.")
        }
        style = styles.first ?? .ofStandardOutput
        let screen = TerminalSize.ofStandardOutput
        let longest = 1000
        let columns = try arguments.integer("--width", in: 1...longest) ?? screen.columns
        // The prompt comes after it, and perhaps its name before.
        let rest = arguments.operands.count > 1 ? 2 : 1
        let rows =
            try arguments.integer("--height", in: 1...longest)
            ?? screen.rows.map { max(1, $0 - rest) } ?? longest
        size =
            switch style {
            case .text: .maximum(64)
            case .blocks: .fit(width: columns, height: rows * 2)
            case .kitty: .fit(width: columns * screen.cellWidth, height: rows * screen.cellHeight)
            }
        background = try Self.background(arguments)
        fetching = try FetchOptions(arguments)
        damage = fetching.damage
        let configuration = fetching.configuration
        limits = configuration.decodeLimits
        loader = fetching.loader(configuration)
    }

    private static func background(_ arguments: Arguments) throws(UsageError) -> Pixel {
        if let text = arguments.value("--background") {
            guard let color = Pixel(hex: text), color.alpha == 255 else {
                throw UsageError("--background takes a colour such as ff8800, not \"\(text)\".")
            }
            return color
        }
        // "0;15": ink and paper by their numbers among 16; 7 and 15 are the light ones.
        let paper = getenv("COLORFGBG").map { String(cString: $0) }?.split(separator: ";").last
        let level: UInt8 = paper == "7" || paper == "15" ? 255 : 0
        return Pixel(red: level, green: level, blue: level)
    }

    private func image(_ text: String) async throws -> RasterImage {
        if text == "-" {
            let data = Data(try PictureSource.standardInput(limit: limits.maximumBytes))
            return try await RasterImage.decoded(
                from: data, options: DecodeOptions(targetSize: size, limits: limits, damage: damage)
            )
        }
        var request = fetching.request(try PictureSource(text).url)
        request.targetSize = size
        return try await loader.image(for: request)
    }

    private func show(_ image: RasterImage, named name: String) async throws {
        switch style {
        case .text:
            let frames = image.info.frameCount
            let animation = frames > 1 ? ", \(frames) frames" : ""
            let state = image.isComplete ? "" : ", incomplete"
            terminal.say(
                "\(Terminal.field(name)): \(image.info.format), \(image.info.pixelSize)\(animation)\(state)"
            )
        case .blocks:
            terminal.paint(HalfBlocks.lines(of: image.posterFrame, over: background))
        case .kitty:
            let still = RasterImage(image.posterFrame)
            terminal.paint(KittyGraphics.codes(png: try await still.data(as: .png)))
        }
    }
}
