import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineImaging

/// What makes two requests the same work.
///
/// Each stage has a key, and a load is the path of its keys. Priority, timeouts and who asks are no
/// part of it.
enum StepKey: Hashable, Sendable {
    /// The bytes of one source.
    case bytes(SourceIdentity)
    /// Decoding them at one size.
    case decode(DecodeOptions)
    /// One filter, by its identifier.
    case filter(String)
}

/// Requests that are equal in this share one transfer.
struct SourceIdentity: Hashable, Sendable {
    let method: String
    /// The URL with its query, without its fragment.
    let url: String
    /// Names in lower case.
    let headers: [String: String]
    let body: Data?
    let partition: String?
    let policy: CachePolicy

    init(_ request: ImageRequest) {
        method = request.method
        url = request.url.textWithoutFragment
        headers = Dictionary(
            request.headers.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, second in [first, second].sorted().joined(separator: ", ") })
        body = request.body
        partition = request.partition ?? headers["authorization"]
        policy = request.cachePolicy
    }
}

/// What an image in memory is known by: the resource whatever the policy, and what was made of it.
struct ImageIdentity: Hashable, Sendable {
    private let method: String
    private let url: String
    private let headers: [String: String]
    private let body: Data?
    private let partition: String?
    private(set) var targetSize: TargetSize?
    private var scale: Double
    private var filters: [String]

    /// Limits are those of the loader, whose memory this is for; and what is kept is complete, whatever
    /// was asked for.
    init(_ source: SourceIdentity, options: DecodeOptions, filters: [String]) {
        method = source.method
        url = source.url
        // A rotated token within a named partition finds the same image.
        headers = source.headers.filter { $0.key != "authorization" }
        body = source.body
        partition = source.partition
        targetSize = options.targetSize
        scale = options.scale
        self.filters = filters
    }

    /// What all variants of the picture have in common: the same without what is made of it.
    var ofSource: ImageIdentity {
        var identity = self
        identity.targetSize = nil
        identity.scale = 1
        identity.filters = []
        return identity
    }

    /// Whether the other is the same picture in another size or scale.
    func differsInSizeOnly(from other: ImageIdentity) -> Bool {
        var identity = other
        identity.targetSize = targetSize
        identity.scale = scale
        return identity == self
    }

    /// The URL as text, for observers.
    var address: String { url }

    /// Whether this is a variant of the picture at the URL.
    func isOf(url: URL) -> Bool {
        self.url == url.textWithoutFragment
    }
}

/// A request, worked out once: the identities of its parts.
struct PlannedLoad: Sendable {
    let request: ImageRequest
    let source: SourceIdentity
    let image: ImageIdentity
    let options: DecodeOptions
    let path: [StepKey]

    /// What is made of the bytes.
    var pathBehindBytes: ArraySlice<StepKey> { path.dropFirst() }

    init(_ request: ImageRequest, limits: DecodeLimits) {
        self.request = request
        options = DecodeOptions(
            targetSize: request.targetSize, scale: request.scale, limits: limits,
            damage: request.damage)
        let filters = request.filters.map(\.identifier)
        source = SourceIdentity(request)
        image = ImageIdentity(source, options: options, filters: filters)
        path = [.bytes(source), .decode(options)] + filters.map { .filter($0) }
    }
}

extension URL {
    /// What is asked of a server. By bytes: every look into memory comes by here, and a walk by
    /// characters took longer than all the rest of it.
    fileprivate var textWithoutFragment: String {
        let text = absoluteString
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return text }
        return String(text[..<end])
    }
}

extension PlannedLoad {
    /// Whether the source is one that no cache but memory ever holds.
    var isUncached: Bool {
        let scheme = request.url.scheme?.lowercased()
        return scheme == "file" || scheme == "data"
    }
}
