import FoundationEssentials
import Glibc
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
    let secrets: Set<String>

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
struct SentFields {
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
        self.init(name: request.key, url: request.url.textWithoutFragment)
    }

    init(name: String?, url: String, storedURL: String? = nil) {
        self.name = name
        self.url = url
        self.storedURL = storedURL
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
    var textWithoutFragment: String {
        let text = absoluteString
        let count = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            guard let start = bytes.baseAddress, let mark = memchr(start, 0x23, bytes.count)
            else { return nil }
            return UnsafeRawPointer(mark) - UnsafeRawPointer(start)
        }
        let utf8 = text.utf8
        let end: String.Index? =
            if let count { count.map { utf8.index(utf8.startIndex, offsetBy: $0) } } else {
                utf8.firstIndex(of: UInt8(ascii: "#"))
            }
        return end.map { String(text[..<$0]) } ?? text
    }
}

extension PlannedLoad {
    /// Whether the source is one that no cache but memory ever holds.
    var isUncached: Bool {
        let scheme = request.url.scheme?.lowercased()
        return scheme == "file" || scheme == "data"
    }
}
