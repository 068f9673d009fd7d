import Vitrine

extension GetOptions {
    /// What `vitrine get` accepts.
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
                help: """
                    read more URLs from a file, one a line; - is standard
                    input, as is - alone
                    """),
            .init(name: "--fit", value: "WxH", help: "shrink to fit into this size, in pixels"),
            .init(
                name: "--fill", value: "WxH", help: "exactly this size, what stands out is cut off"),
            .init(name: "--max", value: "N", help: "shrink until no side has more than N pixels"),
            .init(name: "--still", help: "of an animation, the first frame alone"),
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
                    png, jpeg, webp, avif or gif (what the source was;
                    where that cannot be, webp for animations, else
                    png); webp and gif keep animations
                    """),
            .init(
                name: "--quality", value: "Q",
                help: "of jpeg, webp and avif, from 1 to 100 (82; avif 60)"),
            .init(
                name: "--lossless",
                help: """
                    keep each pixel as it is: webp and png; without
                    --format it is webp for webp and animations, else png
                    """),
            .init(
                name: "--effort", value: "N",
                help: "from 0, fast, to 9, small (what suits the format)"),
            .init(
                name: "--metadata",
                help: """
                    keep EXIF and XMP in what is encoded anew; they may
                    tell where a picture was taken, when, and by whom
                    """),
            .init(name: "--jobs", short: "-j", value: "N", help: "downloads at once (4)"),
        ] + CommandSyntax.Option.fetching + [
            .json, .init(name: "--quiet", short: "-q", help: "tell nothing but failures"),
            .fullURLs, .help,
        ],
        details: """
            Examples:
              vitrine get https://example.org/a.jpg https://example.org/b.webp -o pictures
              vitrine get --from list.txt --fill 256x256 --circle --format png -o avatars
              vitrine get photo.heic --max 2000 --format jpeg --metadata -o album
              sort -u urls | vitrine get --from - --json | jq .path

            A list is UTF-8, one URL or path a line; blanks around it, empty lines and lines that begin
            with # do not count. It is read as pictures are begun, so it may be of any length, and may
            still be written: a few bytes are kept of each line. What stands in it twice is fetched
            once, and the last line says how many such doubles were left out.

            A picture is called after the last part of its URL's path, with the extension of its
            format. Equal names are numbered in the order of the list, whatever their extensions:
            a.png, a-2.jpg; the same list gives the same names again. A file that has the name, of an
            earlier run say, is replaced, at once and as a whole; only the picture itself, where it is
            a file, never is.

            Changes are made in the order: size, then filters as they are given. What is encoded anew
            has no metadata, unless --metadata keeps them, which animations cannot. A picture that
            nothing changes, or that is small enough already, is written as it came, so with all its
            metadata.

            A line on standard output tells of a picture that arrived, with a tab between its
            fields: path, size and format of the file, where it came from (network, disk,
            revalidated, file or data), time, URL. In JSON they are path, width, height, format,
            bytes, source, milliseconds and url, with sourceFormat and complete; of a failure url,
            error and kind. Otherwise failures are told on standard error, and so is the sum. What
            commands a terminal is written as \\u and digits, whoever has put it there.

            Ctrl-C ends the run: what has arrived stays, and the next run goes on from there, also
            within a picture where the server lets it. Such a picture came from "network (resumed)";
            JSON says resumedBytes, how much of it was there before.

            Where the format keeps no animation, one frame is written, and a line on standard error
            says so unless --still is given; in JSON it is droppedFrames. Where the cache cannot be
            written to, a line says that, once.

            \(policies)

            What --partial writes is always encoded anew, and marked: a last field "incomplete" in its
            line, "complete":false in JSON. The exit status is then 1.

            Exit status: 0 if everything arrived whole, 1 if anything failed or is incomplete or a list
            could not be read to its end, 2 if the command line is wrong or names no picture, 130
            after Ctrl-C.

            \(filterList)
            """)

    /// What each cache policy means.
    static let policies =
        "Cache policies:\n"
        + CachePolicy.allCases.map { policy in
            let padding = String(repeating: " ", count: 15 - policy.rawValue.count)
            return "  \(policy.rawValue)\(padding)\(policy.help)"
        }.joined(separator: "\n")

    /// All filters that have a name, with their parameters.
    static var filterList: String {
        let filters = NamedFilter.all.map(\.help).joined(separator: "\n").split(separator: "\n")
        return """
            Filters, with the defaults of their parameters; N is a number. Points are
            pixels here.
            \(filters.map { "  \($0)" }.joined(separator: "\n"))
            """
    }
}

extension CachePolicy {
    fileprivate var help: String {
        switch self {
        case .standard: "what is fresh is used, what is stale asked about (default)"
        case .revalidate: "the server is asked each time, and sends only what has changed"
        case .reload: "everything is fetched anew, and kept"
        case .cacheElseLoad: "what is cached is used at any age, else it is fetched"
        case .cacheOnly: "what is cached is used at any age; the network never is"
        case .bypass: "everything is fetched anew, and nothing is kept"
        }
    }
}
