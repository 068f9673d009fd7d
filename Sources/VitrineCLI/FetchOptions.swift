import FoundationEssentials
import Vitrine

/// How pictures are fetched, whatever is done with them then: what `get`, `show` and `info` have in
/// common.
struct FetchOptions {
    var policy = CachePolicy.standard
    var expiry: CacheExpiry?
    var damage = DecodeOptions.DamageHandling.refused
    var allowsSVG = false
    /// For each picture, from the start of its load to its end.
    var timeout: Duration?
    /// How often more a picture is asked for after it could not be had.
    var retries = 0
    var headers = HeaderOptions()
    private var credential: Credential?

    init(_ arguments: Arguments) throws(UsageError) {
        policy = try arguments.policy ?? policy
        if let text = arguments.value("--expires") {
            expiry =
                text == "never" ? .never : .after(try Quantity.time(text, of: "--expires"))
        }
        damage = arguments.damage
        allowsSVG = arguments.has("--svg")
        timeout = try arguments.value("--timeout").map { text throws(UsageError) in
            try Quantity.seconds(text, of: "--timeout")
        }
        retries = try arguments.integer("--retry", in: 0...100) ?? retries
        for given in arguments.options
        where given.name == "--header" || given.name == "--secret-header" {
            let text = given.value ?? ""
            let fields =
                text.hasPrefix("@") ? try ListFile.lines(String(text.dropFirst())) : [text]
            for field in fields {
                try headers.add(field, of: given.name, isSecret: given.name == "--secret-header")
            }
        }
        credential = try arguments.value("--user").map { text throws(UsageError) in
            try Self.credential(text)
        }
    }

    /// What the pictures are loaded with.
    var configuration: ImageLoader.Configuration {
        var configuration = ImageLoader.Configuration.program
        configuration.allowsSVG = allowsSVG
        configuration.timeouts.deadline = timeout
        configuration.retry.attempts = retries + 1
        return configuration
    }

    /// A loader that knows the user's name and password.
    func loader(_ configuration: ImageLoader.Configuration) -> ImageLoader {
        let loader = ImageLoader(configuration)
        loader.setCredential(credential)
        return loader
    }

    /// The request for one picture.
    func request(_ url: URL) -> ImageRequest {
        var request = ImageRequest(url)
        request.cachePolicy = policy
        request.expiry = expiry
        request.damage = damage
        request.headers = headers.values
        request.secretHeaders = headers.secrets
        return request
    }

    /// What is wrong is said without the text, which is a secret.
    private static func credential(_ text: String) throws(UsageError) -> Credential {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw UsageError("--user takes a name and a password with a colon between them.")
        }
        return Credential(
            user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }
}

extension CommandSyntax.Option {
    /// What ``FetchOptions`` reads.
    static let fetching: [Self] = [
        .partial, .svg,
        .init(
            name: "--timeout", value: "SECONDS",
            help: "give a picture up that is not there by then; 90s and\n2m are fine, too"),
        .init(
            name: "--retry", value: "N",
            help: """
                ask up to N times more after what may pass, such as
                a lost connection or a 503, with growing waits (0)
                """),
        .init(
            name: "--header", short: "-H", value: "FIELD",
            help: """
                send 'Name: value' to the server of each URL;
                Authorization and Cookie are secrets; @FILE reads
                fields from a file, one a line, since command
                lines can be seen by others
                """),
        .init(
            name: "--secret-header", value: "FIELD",
            help: """
                the same with a secret: it follows no redirect to
                another server, and whoever sends another one
                shares no cache with it
                """),
        .init(
            name: "--user", short: "-u", value: "NAME:PASSWORD",
            help: "for servers that ask for it; never sent unasked"),
        .policy,
        .init(
            name: "--expires", value: "TIME",
            help: """
                how long what arrives stays fresh, whatever the server
                says: 90s, 15m, 12h, 30d or never
                """),
    ]
}
