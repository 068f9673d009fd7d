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
    /// Whether the bytes are a picture, of which nothing is made.
    case check

    /// Whether it is work on what the first step has brought.
    var isMadeOfBytes: Bool {
        if case .bytes = self { return false }
        return true
    }
}

/// Requests that are equal in this share one transfer.
struct SourceIdentity: Hashable, Sendable {
    let method: String
    let resource: Resource
    /// Names in lower case.
    let headers: [String: String]
    let body: Data?
    let partition: String?
    let policy: CachePolicy
    let expiry: CacheExpiry?
    let store: ImageRequest.Store
    /// Loads of before and after a change of credentials share no transfer.
    let revision: Int
    /// Those of the header fields that are secrets.
    fileprivate let secrets: Set<String>

    init(_ request: ImageRequest, _ standing: Standing) {
        let fields = SentFields(request, standing)
        method = request.method
        resource = Resource(request)
        headers = fields.all
        secrets = fields.secrets
        partition = fields.partition
        body = request.body
        policy = request.cachePolicy
        expiry = request.expiry
        store = request.store
        revision = standing.revision
    }
}

/// The header fields that a request sends, and whose picture they make it.
private struct SentFields {
    /// Names in lower case.
    var all: [String: String] = [:]
    /// Those that are secrets.
    var secrets: Set<String> = []
    let partition: String?

    init(_ request: ImageRequest, _ standing: Standing) {
        if !request.headers.isEmpty {
            all = Dictionary(
                request.headers.map { ($0.key.lowercased(), $0.value) },
                uniquingKeysWith: { first, second in
                    [first, second].sorted().joined(separator: ", ")
                })
        }
        if let cookie = standing.cookie { all["cookie"] = cookie }
        var digest: String?
        if !all.isEmpty {
            // Where no partition is named, all secrets together make one.
            var sent = HTTP.Request(request.url, secretHeaders: request.secretHeaders)
            for (name, value) in all { sent.headers.add(name, value) }
            secrets = Set(all.keys.filter { sent.isSecret($0) })
            digest = sent.secrets.map { SHA256.hex($0.utf8) }
        }
        partition = request.partition.map { "named:" + $0 } ?? standing.partition(with: digest)
    }
}

/// What is loaded: the picture at a URL, or the one that goes by a name, whatever its URL is today.
struct Resource: Hashable, Sendable {
    /// The name that takes the URL's place.
    let name: String?
    /// The URL with its query, without its fragment. Under a name it does not tell resources apart.
    let url: String
    /// Another URL from which what is known under the name has come.
    var storedURL: String?

    init(_ request: ImageRequest) {
        name = request.key
        url = request.url.textWithoutFragment
    }

    /// Whether it is what lies at the URL, as far as is known here.
    func isOf(_ url: URL) -> Bool {
        self.url == url.textWithoutFragment
            || storedURL.map { $0 == ResponseKey.resource(of: url) } ?? false
    }

    static func == (lhs: Resource, rhs: Resource) -> Bool {
        lhs.name == rhs.name && (lhs.name != nil || lhs.url == rhs.url)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name ?? url)
    }
}

/// What an image in memory is known by: the resource whatever the policy, and what was made of it.
struct ImageIdentity: Hashable, Sendable {
    private let method: String
    var resource: Resource
    let store: ImageRequest.Store
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
        resource = source.resource
        store = source.store
        headers = Self.headers(source.headers, without: source.secrets)
        body = source.body
        partition = source.partition
        targetSize = options.targetSize
        scale = options.scale
        self.filters = filters
    }

    /// The same as that of a ``PlannedLoad``, without all else that one has to know: every look into
    /// memory comes by here.
    init(_ request: ImageRequest, _ standing: Standing) {
        let fields = SentFields(request, standing)
        method = request.method
        resource = Resource(request)
        store = request.store
        headers = Self.headers(fields.all, without: fields.secrets)
        body = request.body
        partition = fields.partition
        targetSize = request.targetSize
        scale = request.scale
        filters = request.filters.isEmpty ? [] : request.filters.map(\.identifier)
    }

    /// The partition stands for the secrets: a rotated token within a named one finds the same image,
    /// and none is kept in memory with the images.
    private static func headers(
        _ all: [String: String], without secrets: Set<String>
    ) -> [String: String] {
        secrets.isEmpty ? all : all.filter { !secrets.contains($0.key) }
    }

    /// What most requests do not have, and what tells few apart, is left to the comparison.
    func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
        hasher.combine(targetSize)
        hasher.combine(scale)
        if let partition { hasher.combine(partition) }
        if let body { hasher.combine(body) }
        if !headers.isEmpty { hasher.combine(headers) }
        for filter in filters { hasher.combine(filter) }
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
}

/// A request, worked out once: the identities of its parts.
struct PlannedLoad: Sendable {
    let request: ImageRequest
    let standing: Standing
    let source: SourceIdentity
    let image: ImageIdentity
    let options: DecodeOptions
    let path: [StepKey]

    /// What is made of the bytes.
    var pathBehindBytes: ArraySlice<StepKey> { path.dropFirst() }

    init(
        _ request: ImageRequest, limits: DecodeLimits, standing: Standing = .nobody,
        purpose: LoadPurpose = .use
    ) {
        self.request = request
        self.standing = standing
        options = DecodeOptions(
            targetSize: request.targetSize, scale: request.scale, limits: limits,
            damage: request.damage)
        let filters = request.filters.map(\.identifier)
        source = SourceIdentity(request, standing)
        image = ImageIdentity(source, options: options, filters: filters)
        path =
            purpose == .prefetchToDisk
            ? [.bytes(source), .check]
            : [.bytes(source), .decode(options)] + filters.map { .filter($0) }
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
