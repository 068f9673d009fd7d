import FoundationEssentials

/// What the server is asked, given what is stored.
struct Question: Sendable {
    enum Kind: Sendable {
        /// For the response, whatever is stored.
        case plain
        /// Whether the stored response still holds.
        case validation
        /// For what a stored part lacks.
        case completion
        /// For what did not come of a response that was cut off.
        case resumption(Resumption.Beginning)
    }

    let kind: Kind
    let request: HTTP.Request

    init(
        _ original: HTTP.Request, policy: CachePolicy, about found: StoredResponse?,
        resuming held: Resumption.Beginning? = nil
    ) {
        var request = original
        var kind = Kind.plain
        let isConditional = Validators.conditionNames.contains { request.headers.contains($0) }
        if let held {
            for (name, value) in held.fields { request.headers[name] = value }
            kind = .resumption(held)
        } else if let found, !isConditional {
            switch found.head.kind {
            case .complete:
                for (name, value) in found.head.validators.conditions {
                    request.headers[name] = value
                    kind = .validation
                }
            case .partial:
                if let missing = Self.completion(of: found.head), !request.headers.contains("Range")
                {
                    request.headers["Range"] = missing
                    request.headers["If-Range"] = found.head.validators.strong
                    kind = .completion
                }
            case .error: break
            }
        }
        // What the caller wants of caches on the way (RFC 9111, sections 5.2.1.1 and 5.2.1.4).
        if request.headers["Cache-Control"] == nil {
            switch policy {
            case .revalidate: request.headers["Cache-Control"] = "max-age=0"
            case .reload: request.headers["Cache-Control"] = "no-cache"
            default: break
            }
        }
        self.kind = kind
        self.request = request
    }

    private static func completion(of head: StoredResponse.Head) -> String? {
        guard let held = ContentRange(ifPartial: head) else { return nil }
        return PartialContent.missing(around: held)?.text
    }
}

/// An answer, and the moments between which it was made.
struct Arrival: Sendable {
    var response: HTTP.Response
    let sentAt: Double
    let receivedAt: Double

    func head(for request: HTTP.Request) -> StoredResponse.Head {
        StoredResponse.Head(
            status: response.status, headers: response.headers, request: request, sentAt: sentAt,
            receivedAt: receivedAt)
    }
}
