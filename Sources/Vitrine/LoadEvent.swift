import VitrineBase
public import VitrineStorage

/// Hears what a loader does, at the start and the end of every stage.
///
/// ```swift
/// struct Log: LoadObserver {
///     func observe(_ event: LoadEvent) { print(event) }
/// }
/// var configuration = ImageLoader.Configuration()
/// configuration.observer = Log()
/// ```
///
/// ``LoadPrinter`` prints what each stage took. Without an observer nothing of it is computed.
public protocol LoadObserver: Sendable {
    /// Something has begun or ended. Called on the thread on which it happened, in order for each load;
    /// it must not block, and may call the loader.
    func observe(_ event: LoadEvent)

    /// Something has befallen the disk cache: it cannot be used, and loads go on without it; it can be used
    /// again; its index was replaced; its folder vanished. Each is told once. Called on a thread of its own,
    /// in order.
    ///
    /// - Parameters:
    ///   - event: never of single entries.
    ///   - group: the name of the group whose cache it is; nil is the loader's own.
    func observe(_ event: DiskStore.Event, ofGroup group: String?)
}

extension LoadObserver {
    /// Does nothing.
    public func observe(_ event: DiskStore.Event, ofGroup group: String?) {}
}

/// The start or the end of one stage of a load.
public struct LoadEvent: Sendable, CustomStringConvertible, CustomReflectable {
    /// What a load consists of. Work that loads share is told once, for all of them.
    public enum Stage: Sendable, Hashable {
        /// All of it, for one caller. What is in memory begins and ends at once.
        case load
        /// What the caches have, and whether it may be used; it ends where the network is needed.
        case lookUp
        /// The request's and the loader's ``ImageRequest/NetworkModifier``.
        case modifier
        /// Waiting for a turn to download.
        case queue
        /// From the request's being sent until all of the body is there, or from what a cache or a
        /// file has until it is read.
        case transfer
        /// The time between two attempts.
        case retryWait
        /// From bytes to pixels, waiting for memory and a thread included.
        case decode
        /// A filter, by its identifier.
        case filter(String)
        /// Keeping the bytes on disk.
        case store
    }

    /// Whether a stage begins or ends.
    public enum Moment: Sendable {
        /// It begins.
        case began
        /// It ends after so long, with what is known by then.
        case ended(after: Duration, Facts)
    }

    /// What is known at the end of a stage; nil is what does not apply.
    public struct Facts: Sendable {
        /// Where bytes or pixels came from.
        public var source: ImageResponse.Source?
        /// Bytes of the body or file.
        public var bytes: Int?
        /// The status of the HTTP response.
        public var status: Int?
        /// The size of the picture in pixels.
        public var pixelSize: PixelSize?
        /// How many attempts have been made.
        public var attempts: Int?
        /// Why the stage ended without a result.
        public var error: ImageError?

        /// Facts of which some are known.
        public init(
            source: ImageResponse.Source? = nil, bytes: Int? = nil, status: Int? = nil,
            pixelSize: PixelSize? = nil, attempts: Int? = nil, error: ImageError? = nil
        ) {
            self.source = source
            self.bytes = bytes
            self.status = status
            self.pixelSize = pixelSize
            self.attempts = attempts
            self.error = error
        }
    }

    /// The loads for which this happens, numbers that a loader uses once: those that wait for it just
    /// now.
    public let loads: [UInt64]
    /// What is loaded.
    public let url: URL
    /// What begins or ends.
    public let stage: Stage
    /// Which of them.
    public let moment: Moment
    /// The time on a clock that never jumps, since some fixed moment.
    public let time: Duration

    /// One line, with the URL as people may see it: `load 7: decode ended after 3.1 ms, 640 × 480,
    /// https://host/path?q=…`.
    public var description: String {
        let names = loads.map(String.init).joined(separator: ", ")
        return "load \(names): \(stage) \(moment), \(url.redacted)"
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LoadEvent.Stage: CustomStringConvertible {
    /// The stage in a word or two.
    public var description: String {
        switch self {
        case .load: "load"
        case .lookUp: "cache look-up"
        case .modifier: "modifier"
        case .queue: "queue"
        case .transfer: "transfer"
        case .retryWait: "wait for another attempt"
        case .decode: "decode"
        case .filter(let identifier): "filter \(identifier)"
        case .store: "store"
        }
    }
}

extension LoadEvent.Moment: CustomStringConvertible {
    /// `began`, or `ended after 12.5 ms` and the facts.
    public var description: String {
        guard case .ended(let time, let facts) = self else { return "began" }
        let text = facts.description
        return "ended after \(time.inMilliseconds)" + (text.isEmpty ? "" : ", " + text)
    }
}

extension Duration {
    /// `12.5 ms`, rounded down.
    var inMilliseconds: String {
        let tenths = clampedNanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

extension LoadEvent.Facts: CustomStringConvertible {
    /// What is known, with commas between.
    public var description: String {
        let parts: [String?] = [
            source.map(\.rawValue), status.map { "status \($0)" },
            bytes.map { "\($0) \($0 == 1 ? "byte" : "bytes")" }, pixelSize.map { "\($0)" },
            attempts.map { "\($0) \($0 == 1 ? "attempt" : "attempts")" },
            error.map { "\($0.reason)" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
