import Glibc
import VitrineBase
public import VitrineHTTP
public import VitrineImaging
import VitrineStorage

extension ImageLoader {
    /// Everything that can be set about a loader, in one place.
    public struct Configuration: Sendable {
        /// In which order waiting downloads of the same priority start.
        public enum DownloadOrder: Sendable, Hashable {
            /// First in, first out.
            case fifo
            /// Last in, first out: what was asked for last is wanted first, as when scrolling.
            case lifo
        }

        /// How often downloads start at most.
        public struct DownloadRate: Sendable, Hashable {
            /// In the long run; above 0.
            public var perSecond: Double
            /// At once after a pause; at least 1.
            public var burst: Int

            /// By default 80 a second, and 25 at once.
            public init(perSecond: Double = 80, burst: Int = 25) {
                self.perSecond = perSecond
                self.burst = burst
            }
        }

        /// Where the bytes of responses are kept between launches.
        public enum DiskCache: Sendable {
            /// `$XDG_CACHE_HOME/<app id>/vitrine`, else `~/.cache/<app id>/vitrine`.
            case standard(applicationID: String)
            /// A folder of one's own; it may be shared by processes.
            case directory(String)
            /// A store of one's own, which keeps its own bound. Groups have no place then.
            case custom(any ResponseStore)
            /// Nothing is kept on disk.
            case none
        }

        /// The disk cache. By default the standard place, under the name of the running program.
        public var diskCache = DiskCache.standard(applicationID: Self.programName)
        /// Most bytes of the disk cache, bodies and metadata together.
        public var diskCapacity = 150_000_000
        /// Most bytes of responses that are kept in memory as they came, where there is no disk cache
        /// (``DiskCache/none``); 0 keeps none.
        public var originalsCapacity = 20_000_000
        /// The groups that requests may name as their store; more can be declared later, by
        /// ``ImageLoader/declareGroup(_:)``.
        public var groups: [CacheGroup] = []
        /// How long responses are fresh where neither request nor group says; nil, the default, leaves it
        /// to HTTP.
        public var expiry: CacheExpiry?
        /// Whether what target size and filters have made of a picture is kept on disk beside its bytes,
        /// in the same bound; false by default, and a request may say otherwise.
        ///
        /// It saves decoding and filters after a restart, and takes 3 or 4 bytes a pixel. Only whole
        /// stills are kept that take no more than a sixteenth of the bound, and only in stores on disk
        /// of the loader's. A filter's identifier stands for what it does, also after a restart.
        public var storesProcessedImages = false
        /// Most bytes of decoded images in memory; above it the least recently used are purged. With 0
        /// none is found there.
        public var memoryCapacity = 100_000_000
        /// Bytes that are left in memory after a purge.
        public var memoryPurgeTarget = 60_000_000
        /// Whether images in memory are given up when the system is short of memory.
        public var reactsToMemoryPressure = true
        /// A memory of images to be shared with other loaders, in place of one of the loader's own; the
        /// three properties above then have no effect. What one of them lets in, all of them show.
        public var imageCache: ImageCache?

        /// Most downloads at once; the rest wait. At least 1.
        public var maximumActiveDownloads = 4
        /// In which order waiting downloads start.
        public var downloadOrder = DownloadOrder.fifo
        /// Most downloads at once from one host, while those from others go before the rest; nil for no
        /// such limit. A redirect to another host goes on under that of the request.
        public var maximumActiveDownloadsPerHost: Int? = 6
        /// How often downloads may start; nil for no such limit. With it, what is scrolled past quickly
        /// is given up before it was asked for.
        public var downloadRate: DownloadRate?
        /// Most pictures that are decoded or filtered at once. By default one for each core.
        public var maximumActiveDecodes = Self.coreCount

        /// The memory that decoding and filtering may claim at once; by default all loaders share one.
        public var decodeBudget = DecodeBudget.shared

        /// How long the phases of a transfer may take, where the request does not say.
        public var timeouts = ImageRequest.Timeouts()
        /// How often a source is asked, where the request does not say; by default once.
        public var retry = ImageRequest.Retry.none
        /// Changes every request before the request's own modifier does; nil changes nothing.
        public var modifier: ImageRequest.Modifier?
        /// Changes what is sent for every request, before the request's own modifier does; nil changes
        /// nothing. Secrets that it adds are not known to the caches, and need a partition; see
        /// ``ImageRequest/NetworkModifier``.
        public var networkModifier: ImageRequest.NetworkModifier?
        /// Hears of every stage of every load; nil, and nothing is computed for it.
        public var observer: (any LoadObserver)?
        /// Most bytes of one response, file or `data:` URL.
        public var maximumBytes = 256 << 20
        /// Most redirects that one load follows.
        public var maximumRedirects = 10
        /// What may be decoded.
        public var decodeLimits = DecodeLimits()
        /// Whether SVG is rendered, a part of ``decodeLimits``; false by default. How it is bounded says
        /// `SVGDecoder`.
        public var allowsSVG: Bool {
            get { decodeLimits.allowsSVG }
            set { decodeLimits.allowsSVG = newValue }
        }
        /// What the `Content-Type` of a response means. By default the bytes decide what they are.
        public var contentTypes = ContentTypeRule.bytesDecide
        /// Which sources may be loaded; of `http`, `https`, `file` and `data`.
        public var schemes: Set<String> = ["http", "https", "file", "data"]
        /// Which addresses may be connected, after name resolution and on each redirect.
        public var addressRule = AddressRule.any
        /// The `User-Agent` header; nil sends none.
        public var userAgent: String? = "Vitrine/\(ImageLoader.version)"
        /// The proxy; by default as the environment says. Where ``addressRule`` does not allow every
        /// address there can be none: the environment is not looked at, and a URL here makes loads fail.
        public var proxy = TransportProxy.environment
        /// TLS: authorities, client certificate, lowest version.
        ///
        /// What comes over TLS to a loader with a client certificate is kept on disk for that certificate
        /// alone, by a digest of its file, unless the request names a ``ImageRequest/partition``; so
        /// loaders of several users may share a folder, and a renewed certificate needs a name to keep
        /// its cache.
        public var security = TransportSecurity()
        /// Which version of HTTP is spoken.
        public var httpVersion = HTTPVersionChoice.negotiated
        /// Where cookies come from and go to; nil, the default, sends and keeps none.
        public var cookies: CookieJar?
        /// A transport of one's own in place of libcurl. ``addressRule``, ``userAgent``, ``proxy``,
        /// ``security`` and ``httpVersion`` are then its own business.
        public var transport: (any Transport)?

        /// A configuration with the defaults that the properties name.
        public init() {}

        /// What a server needs that loads URLs which strangers give it.
        ///
        /// No `file:`; no address that is not public, checked on the address that is connected, so
        /// after redirects and name resolution; therefore no proxy, whatever the environment says; at
        /// most 5 redirects, 32 MB, 50 million pixels a picture and 1,000 frames; 5 seconds to connect,
        /// 10 of silence, and a minute a transfer. Everything can be changed; but a transport of one's
        /// own has to check addresses itself.
        public static var server: Configuration {
            var configuration = Configuration()
            configuration.schemes = ["http", "https", "data"]
            configuration.addressRule = .publicOnly
            configuration.maximumBytes = 32 << 20
            configuration.maximumRedirects = 5
            configuration.decodeLimits.maximumBytes = 32 << 20
            configuration.decodeLimits.maximumSourcePixels = 50_000_000
            configuration.decodeLimits.maximumResultPixels = 50_000_000
            configuration.decodeLimits.maximumAnimationPixels = 1_000_000_000
            configuration.decodeLimits.maximumFrames = 1_000
            configuration.timeouts = ImageRequest.Timeouts(
                connect: .seconds(5), idle: .seconds(10), total: .seconds(60))
            return configuration
        }
    }
}

extension ImageLoader.Configuration {
    /// The file name of the running program, as the standard folder's name.
    private static var programName: String {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
        return name ?? "vitrine"
    }

    private static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// What the loader's own memory of images is made with.
    var ownImageCache: ImageCache.Configuration {
        var own = ImageCache.Configuration()
        own.capacity = memoryCapacity
        own.purgeTarget = memoryPurgeTarget
        own.reactsToMemoryPressure = reactsToMemoryPressure
        return own
    }

    /// The folder of the disk cache; nil if there is none.
    package var diskDirectory: String? {
        switch diskCache {
        case .standard(let applicationID):
            DiskStore.defaultDirectory(applicationID: applicationID)
        case .directory(let path): path
        case .custom, .none: nil
        }
    }
}

extension CurlTransport {
    convenience init(_ configuration: ImageLoader.Configuration) {
        var own = Configuration()
        own.addressRule = configuration.addressRule
        own.userAgent = configuration.userAgent
        own.proxy = configuration.proxy
        own.security = configuration.security
        own.httpVersion = configuration.httpVersion
        self.init(configuration: own)
    }
}
