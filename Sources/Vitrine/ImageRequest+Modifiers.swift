import VitrineHTTP

extension ImageRequest {
    /// Changes a request before anything else is made of it.
    ///
    /// It runs on the thread of the caller, whenever the request is used, and what it makes is what is
    /// looked up, shared and cached; so it must be quick, and give the same for the same. What it
    /// throws ends the load: an ``ImageError`` as it is, all else as ``ImageError/Reason/modifier(_:)``.
    public typealias Modifier = @Sendable (inout ImageRequest) throws -> Void

    /// Changes what is sent, once it is certain that the network is needed.
    ///
    /// It runs when the load's turn to download has come, once for every exchange with the origin of
    /// the request: again for each attempt, and for each redirect that stays on that origin; never for
    /// another origin, to which secrets must not go. It may suspend, for a token for example, and is
    /// cancelled with the load; do not load by the same loader in it, since that may wait for a turn
    /// itself. What it throws ends the load with ``ImageError/Reason/modifier(_:)``.
    ///
    /// - Important: What it changes is no part of the request's identity. Callers who share a load share
    ///   what was sent for the first one, and the caches know nothing of a token, a cookie or a key that
    ///   is added here: what one user was given by it, the next one finds. Where it sends secrets, name
    ///   whose they are by ``ImageRequest/partition``, or give the loader a disk cache of its own; header
    ///   fields of the request itself, and credentials of the loader, are told apart without that.
    public typealias NetworkModifier = @Sendable (inout OutgoingRequest) async throws -> Void

    /// What is about to be sent to a server.
    public struct OutgoingRequest: Sendable {
        /// Where it goes. It is stored under the URL of the ``ImageRequest`` all the same.
        public var url: URL
        /// The body.
        public var body: Data?
        /// The method.
        public let method: String
        var fields: HTTP.Headers

        /// The header field of that name, in any case, several lines of it joined; those that the
        /// caches have added are there, too. Setting it replaces all of them, nil removes them.
        public subscript(header name: String) -> String? {
            get { fields[name] }
            set { fields[name] = newValue }
        }
    }

    /// What few requests have, so that most are small; shared until it is changed.
    struct Extras: Sendable {
        var modifier: Modifier?
        var networkModifier: NetworkModifier?
        var retry: Retry?
        var alternatives: [ImageRequest] = []
        var lowResolution: ImageRequest?
    }

    final class ExtrasBox: Sendable {
        let value: Extras

        init(_ value: Extras) { self.value = value }
    }

    private var values: Extras {
        get { extras?.value ?? Extras() }
        set { extras = ExtrasBox(newValue) }
    }

    /// Changes this request after the loader's own modifier has; nil changes nothing.
    public var modifier: Modifier? {
        get { extras?.value.modifier }
        set { values.modifier = newValue }
    }

    /// Changes what is sent after the loader's own modifier has; nil changes nothing. Secrets that it
    /// adds need a ``partition``; see ``NetworkModifier``.
    public var networkModifier: NetworkModifier? {
        get { extras?.value.networkModifier }
        set { values.networkModifier = newValue }
    }

    /// How often the source is asked; nil takes what the loader's configuration says.
    public var retry: Retry? {
        get { extras?.value.retry }
        set { values.retry = newValue }
    }

    /// What is loaded in place of this picture if it cannot be had, tried in turn.
    ///
    /// Each is a request of its own, with filters, caches and retries of its own, and is shared with
    /// whoever asks for the same; its own alternatives are not looked at. The next one is tried after
    /// any failure but a cancellation and a passed deadline. If all fail, the first failure is the
    /// load's.
    public var alternatives: [ImageRequest] {
        get { extras?.value.alternatives ?? [] }
        set { values.alternatives = newValue }
    }

    /// The same picture, smaller, which is loaded first and shown by an ``ImageTask/Event/preview(_:)``
    /// until this one is there; nil for none.
    ///
    /// It is a request of its own, cached by itself and shared with whoever asks for the same. If it
    /// cannot be had, nothing is said; if this one is there first, it is given up.
    public var lowResolution: ImageRequest? {
        get { extras?.value.lowResolution }
        set { values.lowResolution = newValue }
    }

    /// This request for another URL: the same size, filters and all else, but neither its alternatives
    /// nor its ``lowResolution``.
    public func with(url: URL) -> ImageRequest {
        var other = self
        other.url = url
        other.alternatives = []
        other.lowResolution = nil
        return other
    }
}

extension ImageRequest.OutgoingRequest: CustomStringConvertible, CustomReflectable {
    /// One line, without secrets: `GET https://host/path?q=…`.
    public var description: String { "\(method) \(url.redacted)" }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
