package import FoundationEssentials

/// The bytes of a picture that is still arriving, and whether they can show more than the last time: a
/// pure value that decodes nothing.
package struct ArrivingPicture: Sendable {
    /// How much of it can be shown.
    private enum Way: Sendable {
        /// The format or its kind is not known yet.
        case unknown
        /// After each scan of a progressive JPEG.
        case scans
        /// The rows that are there; of an animation, those of its first frame.
        case rows
        /// Nothing, or nothing more.
        case none
    }

    /// What can be shown now; it is decoded elsewhere, while more bytes arrive.
    package struct Part: Sendable {
        private let bytes: Data
        private let format: RasterFormat

        fileprivate init(_ bytes: Data, _ format: RasterFormat) {
            self.bytes = bytes
            self.format = format
        }

        /// What the header tells. Blocks.
        package func info(limits: DecodeLimits) throws(ImagingError) -> ImageInfo {
            guard format == .webp else { return try ImageInfo(probing: bytes, limits: limits) }
            return try VipsDecoder.borrow(bytes) { (bytes) throws(ImagingError) in
                try WebPHeader(bytes).info(byteCount: bytes.count, limits: limits)
            }
        }

        /// The first frame as far as it is there; nil if none of it is. Blocks.
        ///
        /// - Throws: ``ImagingError`` for what is wrong with the header, or beyond the limits.
        package func decode(
            options: DecodeOptions, cancellation: DecodeCancellation
        ) throws(ImagingError) -> RasterImage? {
            var options = options
            options.frames = .first
            do throws(ImagingError) {
                return try ReadablePart.decode(
                    bytes, format: format, options: options, cancellation: cancellation)
            } catch {
                guard error.saysThatBytesAreDamaged else { throw error }
                return nil
            }
        }
    }

    private let limits: DecodeLimits
    private var bytes = Data()
    private var format: RasterFormat?
    private var scans = JPEGScans()
    private var way = Way.unknown
    /// Of which scans, or of how many bytes, something was shown.
    private var shown = 0

    /// All bytes that have come.
    package private(set) var count = 0

    package init(limits: DecodeLimits = DecodeLimits()) {
        self.limits = limits
    }

    /// False once no more can be shown before the whole is there; then no bytes are kept.
    package var canBeShown: Bool { way != .none }

    /// Takes the next bytes. Looks at each once.
    package mutating func append(_ chunk: Data) {
        count += chunk.count
        guard way != .none else { return }
        bytes.append(chunk)
        if count > limits.maximumBytes { way = .none }
        if format == nil { findFormat() }
        if format == .jpeg, way == .unknown || way == .scans { followScans() }
        if way == .none { bytes = Data() }
    }

    /// Whether more can be shown than the last time: another scan, or a quarter more of the bytes, so
    /// that all parts together cost at most about five times what the whole does.
    package var hasNews: Bool {
        switch way {
        case .scans: scans.ends.count > shown
        case .rows: count - shown >= max(64, shown / 4)
        case .unknown, .none: false
        }
    }

    /// What can be shown now, if that is more than the last time.
    package mutating func takePart() -> Part? {
        guard hasNews, let format else { return nil }
        let part = Part(bytes, format)
        shown = way == .scans ? scans.ends.count : count
        if hasWholeFrame { way = .none }
        if way == .none { bytes = Data() }
        return part
    }

    private mutating func findFormat() {
        guard let found = RasterFormat(sniffing: bytes) else {
            // An XBM may begin later than this, but shows nothing in part anyway.
            if count >= 256 { way = .none }
            return
        }
        // Byte 28 of a PNG tells whether it is interlaced; then its rows come all at the end.
        if found == .png, count < 29 { return }
        format = found
        guard found != .jpeg else { return }
        let hasRows = found == .png ? bytes[28] == 0 : ReadablePart.formats.contains(found)
        way = hasRows ? .rows : .none
    }

    private mutating func followScans() {
        bytes.withUnsafeBytes { scans.advance(over: $0) }
        switch scans.kind {
        case .unknown: break
        case .progressive: way = .scans
        case .other: way = .rows
        }
    }

    /// Whether the first frame of an animation is there: its later ones are no news.
    private var hasWholeFrame: Bool {
        guard format == .gif || format == .png || format == .webp else { return false }
        let outline = bytes.withUnsafeBytes { bytes in
            switch format {
            case .png: try? AnimationOutline(png: bytes, storing: 1, acceptsPart: true)
            case .webp: try? AnimationOutline(webp: bytes, storing: 1)
            default: AnimationOutline(gif: bytes, storing: 1)
            }
        }
        return (outline?.frameCount ?? 0) > 0
    }
}
