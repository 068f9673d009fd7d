public import VitrineHTTP

/// Everything about one load: where the picture is, how it is asked for, and what is made of it.
///
/// ```swift
/// var request = ImageRequest(url)
/// request.targetSize = .fill(width: 256, height: 256)
/// request.filters = [.circle]
/// request.priority = .high
/// ```
///
/// A request is a value; changing it after a load has started changes nothing for that load.
public struct ImageRequest: Sendable {
    /// Where the picture is: `http`, `https`, `file` or `data` (RFC 2397).
    public var url: URL

    /// The HTTP method. Only answers to `GET` are cached on disk.
    public var method = "GET"

    /// Header fields to send, by name. They are part of what makes two requests equal.
    public var headers: [String: String] = [:]

    /// Names of ``headers`` that are secrets, such as `X-Api-Key`. `Authorization` and `Cookie`
    /// always are. Secrets do not follow a redirect to another origin.
    public var secretHeaders: Set<String> = []

    /// The body to send.
    public var body: Data?

    /// Whose responses are used and stored. Two partitions never share a response or an image.
    /// Nil goes by the secrets among the header fields, all together, so that a rotated token needs a
    /// name here to keep its cache.
    public var partition: String?

    /// A name that takes the place of the URL in memory, on disk and where loads are shared, never of
    /// the header fields or the partition; nil by default.
    ///
    /// It is for a picture that has another URL each time, such as one whose query is signed anew: two
    /// URLs under one key are one picture, and have one stored response.
    public var key: String?

    /// How long the response is fresh, in memory and on disk, whatever its header fields say; nil leaves
    /// it to what it was stored with, then to the store's group or the loader's configuration, then to
    /// HTTP. See ``CacheExpiry``.
    public var expiry: CacheExpiry?

    /// Where the bytes are looked for and kept: the loader's disk cache, unless told otherwise.
    public var store = Store.loader

    /// Whether what was made of the bytes is kept on disk, too; nil takes what the loader's configuration
    /// says. See ``ImageLoader/Configuration/storesProcessedImages``.
    public var storesProcessedImage: Bool?

    /// The size at which the picture is wanted, in pixels, met while decoding; nil keeps its own.
    public var targetSize: TargetSize?

    /// Pixels per point of the result; lengths in filters are points. Must be above 0.
    public var scale = 1.0

    /// What is done to the picture, in this order, after the target size was met.
    public var filters: [any ImageFilter] = []

    /// What becomes of bytes that are cut short or damaged: an error, or the part that can be read.
    /// A part is never kept in a cache; ``RasterImage/isComplete`` tells. A transfer that ends too early
    /// is an error in any case.
    public var damage = DecodeOptions.DamageHandling.refused

    /// Whether ``ImageTask/events`` shows the picture while it arrives; not by default.
    public var previews = Previews.none

    /// Whether ``ImageTask/events`` begins with the picture in another size, if one with the same filters
    /// is in memory and the policy lets it count; not by default. Its ``RasterImage/isComplete`` is
    /// true, and no other preview follows.
    public var showsOtherSizes = false

    /// How soon it is wanted. Equal loads are done once, at the highest priority of their callers.
    public var priority = LoadPriority.normal

    /// What it may take from the caches, and leave in them.
    public var cachePolicy = CachePolicy.standard

    /// How long each phase may take; nil takes what the loader's configuration says.
    public var timeouts: Timeouts?

    /// Modifiers, retries and other sources.
    var extras: ExtrasBox?

    /// A request for the picture at `url`, with all else at its default.
    public init(_ url: URL, filters: [any ImageFilter] = []) {
        self.url = url
        self.filters = filters
    }

    /// Whether a picture is shown while it arrives over the network.
    public enum Previews: Sendable, Hashable {
        /// Only when it is whole.
        case none
        /// At most once in this time, and the first time when it has passed, so that what arrives soon
        /// costs nothing more. Callers who share a load share the shortest time. A negative one counts
        /// as zero, and more than a day as a day.
        ///
        /// Previews have the target size, the scale and the filters of the request. They are what
        /// `IncrementalDecoder` can make, one at a time in a loader, after all else that waits for
        /// memory; the transfer never waits for them.
        case progressive(interval: Duration = .milliseconds(250))

        /// The time between two of them; nil for none.
        var interval: Duration? {
            switch self {
            case .none: nil
            // The clock traps on moments that are too far away.
            case .progressive(let interval): min(max(.zero, interval), .seconds(86_400))
            }
        }
    }
}

extension ImageRequest: CustomStringConvertible, CustomReflectable {
    /// One line, without secrets: `GET https://host/path?q=…`. Header fields, key and partition, which
    /// may be some, are not in it.
    public var description: String { "\(method) \(url.redacted)" }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
