import FoundationEssentials
import VitrineBase

/// The keys of the exchanges of one load: of the first, and of those to which redirects lead.
///
/// Under a name each step has its number, so that the picture behind a redirect is found although the
/// address to which that leads is another each time.
final class Journey: Sendable {
    private let partition: String?
    private let name: String?
    private let steps = Lock([String]())

    init(_ terms: HTTPCache.Terms) {
        partition = terms.partition
        name = terms.name
    }

    func key(of request: HTTP.Request) -> ResponseKey {
        guard let name else { return ResponseKey(request, as: .get, partition: partition) }
        let url = request.url.absoluteString
        // An exchange that is made once more is the same step.
        let step = steps.withLock { steps in
            if let step = steps.firstIndex(of: url) { return step }
            steps.append(url)
            return steps.count - 1
        }
        return ResponseKey(request, partition: partition, name: name, step: step)
    }
}
