import FoundationEssentials
import VitrineImaging

/// What an image in memory is known by: the resource whatever the policy, and what was made of it.
///
/// Every look into memory makes one and compares it with one that is kept, and copies that. So only what
/// nearly every request has stands here, and what few have in an object of its own, which is not there
/// where nobody has it.
struct ImageIdentity: Hashable, Sendable {
    /// The name under which the picture is known, or else its URL.
    private let subject: String
    private(set) var targetSize: TargetSize?
    private var scale: Double
    /// Nil exactly if all that it would say is the usual.
    private var rest: Rest?

    /// What few requests have.
    private struct Facts: Hashable, Sendable {
        var method = "GET"
        var isNamed = false
        var store = ImageRequest.Store.loader
        var headers: [String: String] = [:]
        var body: Data?
        var partition: String?
        var filters: [String] = []
    }

    private final class Rest: Sendable {
        let facts: Facts
        /// The URL that goes by a name, and the one from which it came then. They do not tell identities
        /// apart.
        let url: String?
        let storedURL: String?

        init(_ facts: Facts, url: String?, storedURL: String?) {
            self.facts = facts
            self.url = url
            self.storedURL = storedURL
        }
    }

    /// Limits are those of the loader, whose memory this is for; and what is kept is complete, whatever
    /// was asked for.
    init(_ source: SourceIdentity, options: DecodeOptions, filters: [String]) {
        self.init(
            source.resource, options.targetSize, options.scale,
            Facts(
                method: source.method, isNamed: source.resource.name != nil, store: source.store,
                headers: Self.headers(source.headers, without: source.secrets), body: source.body,
                partition: source.partition, filters: filters))
    }

    /// The same as that of a ``PlannedLoad``, without all else that one has to know.
    init(_ request: ImageRequest, _ standing: Standing) {
        let isUsual =
            request.headers.isEmpty && request.filters.isEmpty && request.key == nil
            && request.partition == nil && request.body == nil && request.store == .loader
            && request.method == "GET" && standing.cookie == nil && standing.user == nil
        if isUsual {
            self.init(
                request.url.textWithoutFragment, request.targetSize, request.scale, rest: nil)
        } else {
            let fields = SentFields(request, standing)
            self.init(
                Resource(request), request.targetSize, request.scale,
                Facts(
                    method: request.method, isNamed: request.key != nil, store: request.store,
                    headers: Self.headers(fields.all, without: fields.secrets),
                    body: request.body, partition: fields.partition,
                    filters: request.filters.map(\.identifier)))
        }
    }

    private init(
        _ resource: Resource, _ targetSize: TargetSize?, _ scale: Double, _ facts: Facts
    ) {
        let isUsual = facts == Facts()
        self.init(
            resource.name ?? resource.url, targetSize, scale,
            rest: isUsual
                ? nil
                : Rest(
                    facts, url: facts.isNamed ? resource.url : nil,
                    storedURL: facts.isNamed ? resource.storedURL : nil))
    }

    private init(_ subject: String, _ targetSize: TargetSize?, _ scale: Double, rest: Rest?) {
        self.subject = subject
        self.targetSize = targetSize
        self.scale = scale
        self.rest = rest
    }

    /// The partition stands for the secrets: a rotated token within a named one finds the same image,
    /// and none is kept in memory with the images.
    private static func headers(
        _ all: [String: String], without secrets: Set<String>
    ) -> [String: String] {
        secrets.isEmpty ? all : all.filter { !secrets.contains($0.key) }
    }

    private var facts: Facts { rest?.facts ?? Facts() }

    /// The picture, whatever was made of it.
    var resource: Resource {
        let name = facts.isNamed ? subject : nil
        return Resource(name: name, url: rest?.url ?? subject, storedURL: rest?.storedURL)
    }

    var store: ImageRequest.Store { facts.store }

    /// The same, and what goes by the name has come from this URL.
    func stored(at url: String?) -> ImageIdentity {
        var resource = resource
        resource.storedURL = url
        return ImageIdentity(resource, targetSize, scale, facts)
    }

    /// What all variants of the picture have in common: the same without what is made of it.
    var ofSource: ImageIdentity {
        var facts = facts
        facts.filters = []
        return ImageIdentity(resource, nil, 1, facts)
    }

    /// Whether the other is the same picture in another size or scale.
    func differsInSizeOnly(from other: ImageIdentity) -> Bool {
        subject == other.subject && Self.areEqual(rest, other.rest)
    }

    static func == (lhs: ImageIdentity, rhs: ImageIdentity) -> Bool {
        lhs.subject == rhs.subject && lhs.targetSize == rhs.targetSize && lhs.scale == rhs.scale
            && areEqual(lhs.rest, rhs.rest)
    }

    private static func areEqual(_ one: Rest?, _ other: Rest?) -> Bool {
        if one === other { return true }
        guard let one, let other else { return false }
        return one.facts == other.facts
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(targetSize)
        hasher.combine(scale)
        if let rest { hasher.combine(rest.facts) }
    }
}
