import CVips
import FoundationEssentials

/// One file under way from bytes to pixels; lives only as long as the bytes are borrowed.
struct VipsLoader {
    private let bytes: UnsafeRawBufferPointer
    private let format: RasterFormat
    private let limits: DecodeLimits
    private let stored: PixelSize
    let info: ImageInfo

    /// The operation that loads `format`; nil for formats that have a decoder of their own.
    static func operation(for format: RasterFormat) -> String? {
        switch format {
        case .png: "pngload_buffer"
        case .jpeg: "jpegload_buffer"
        case .gif: "gifload_buffer"
        case .webp: "webpload_buffer"
        case .tiff: "tiffload_buffer"
        case .heic, .avif: "heifload_buffer"
        case .jpegXL: "jxlload_buffer"
        case .jpeg2000: "jp2kload_buffer"
        case .bmp, .ico, .xbm, .svg: nil
        }
    }

    /// Reads the header and holds it against the limits.
    init(
        _ bytes: UnsafeRawBufferPointer, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) {
        try limits.check(bytes: bytes.count)
        if format == .jpegXL, JPEGXLHeader.isAnimated(bytes) {
            throw .unsupportedFormat("animated JPEG XL")
        }
        try VipsRuntime.start(for: format)
        let header: VipsPipeline
        do {
            header = try Self.load(bytes, format, upright: true)
        } catch {
            throw Self.error(error, bytes, format)
        }
        let png = format == .png ? try PNGHeader(bytes) : nil
        let orientation = png?.orientation ?? Self.orientation(of: header, format)
        let outline = FileOutline(of: bytes, format: format)
        self.bytes = bytes
        self.format = format
        self.limits = limits
        stored = header.size
        var info = ImageInfo(
            format: format, pixelSize: orientation > 4 ? stored.transposed : stored,
            frameCount: max(1, outline.frameCount ?? Self.frameCount(of: header, format)),
            hasAlpha: header.hasAlpha, orientation: orientation,
            hasColorProfile: header.hasProfile,
            bitsPerSample: outline.bitsPerSample ?? Self.bits(of: header), byteCount: bytes.count)
        var facts = png?.facts ?? HeaderFacts(of: ByteReader(bytes), format: format)
        info.colorCodePoints = png?.colorCodePoints
        if format == .heic {
            let outline = HEIFOutline(bytes)
            info.colorCodePoints = outline.colorCodePoints
            facts.hasGainMap = outline.hasGainMap
        }
        try header.describe(&info, facts, limits)
        if format == .jpeg {
            info.comesByRows = JPEGHeader(ByteReader(bytes))?.comesByRows ?? false
        }
        self.info = info
        try limits.check(source: info.pixelSize, frames: info.frameCount)
    }

    /// The EXIF data and the XMP packet.
    static func metadata(
        of bytes: UnsafeRawBufferPointer, _ format: RasterFormat, maximumBytes: Int
    ) throws(ImagingError) -> ImageMetadata {
        let header: VipsPipeline
        do { header = try load(bytes, format, upright: true) } catch {
            throw self.error(error, bytes, format)
        }
        let sizes = ["exif-data", "xmp-data"].compactMap { header.withBlob($0) { $0.count } }
        let total = sizes.reduce(0, +)
        guard total <= maximumBytes else {
            throw .tooLarge(what: .metadataBytes, found: total, limit: maximumBytes)
        }
        var exif = header.withBlob("exif-data") { bytes in
            bytes.rest(from: bytes.begins("Exif\0\0") ? 6 : 0).copy
        }
        // What is no TIFF says nothing.
        if exif?.withUnsafeBytes({ EXIFBlock(ByteReader($0)) == nil }) == true { exif = nil }
        return ImageMetadata(exif: exif, xmp: header.withBlob("xmp-data") { $0.copy })
    }

    /// Decodes the first frame: shrinks, turns it upright, brings it to sRGB, in this order, so that
    /// the costly steps meet few pixels.
    func frame(
        options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> PixelBuffer {
        let shown = info.pixelSize
        let plan =
            options.targetSize.map { ResizePlan($0, source: shown) }
            ?? ResizePlan(exactly: shown, source: shown)
        try limits.check(result: plan.result)
        guard FileOutline(of: bytes, format: format).end != .missing else {
            throw .truncated(format: format)
        }
        do {
            return try PixelBuffer(size: plan.result) { memory in
                try cancellation.check()
                try render(options, into: memory, cancellation)
            }
        } catch let error as VipsFailure {
            try cancellation.check()
            throw Self.error(error, bytes, format)
        } catch let error as ImagingError {
            throw error
        } catch {
            throw .corrupt(format: format, reason: "\(error)")
        }
    }

    private func render(
        _ options: DecodeOptions, into memory: UnsafeMutableRawBufferPointer,
        _ cancellation: DecodeCancellation
    ) throws(VipsFailure) {
        let factor = options.targetSize.map { ResizePlan($0, source: info.pixelSize).factor } ?? 1
        // Turned rows are not wanted from top to bottom; a target's are, as they are rendered first.
        let pixels = try Self.load(
            bytes, format, upright: options.targetSize != nil || info.orientation < 3,
            shrinking: factor)
        // The last image of the recipe would not hear of it before its end.
        let stop = pixels.stop
        try cancellation.stopping(by: { stop.now() }) { () throws(VipsFailure) in
            try pixels.shown(
                target: options.targetSize, orientation: info.orientation, whole: stored
            ).renderRGBA(
                into: memory, converter: info.converter, profileCounts: info.profileCounts)
        }
    }

    /// Decodes as many rows from the top as can be read, and leaves the others transparent; the steps are
    /// those of ``frame(options:cancellation:)``, but for profiles, which come first.
    func upperRows(
        options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> PixelBuffer {
        var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
        finish.converter = info.converter
        try options.limits.check(result: finish.size(of: stored))
        let pixels: VipsPipeline
        let loaded: VipsPipeline
        do throws(VipsFailure) {
            loaded = try Self.load(
                bytes, format, upright: true, shrinking: max(1, finish.factor(of: stored)))
            pixels = try (info.profileCounts ? loaded : loaded.withoutProfile()).asRGBA()
        } catch {
            throw Self.error(error, bytes, format)
        }
        let canvas = try FrameCanvas(size: pixels.size)
        let stop = loaded.stop
        let count = cancellation.stopping(by: { stop.now() }) {
            canvas.withUnsafeMutableBytes { pixels.render(rowsInto: $0) }
        }
        try cancellation.check()
        guard count > 0 else { throw .truncated(format: format) }
        return try canvas.withUnsafeBytes { (rows) throws(ImagingError) in
            try finish.frame(rows, size: canvas.size, whole: stored, format: format)
        }
    }

    /// Opens the file. With `upright` the rows are wanted once, from top to bottom, which saves the
    /// whole picture in memory; otherwise in any order. With `shrinking` by some factor, the codec
    /// leaves out what it can, but keeps twice the size for a good resize.
    private static func load(
        _ bytes: UnsafeRawBufferPointer, _ format: RasterFormat, upright: Bool,
        shrinking factor: Double = 1
    ) throws(VipsFailure) -> VipsPipeline {
        var arguments: [(String, VipsArgument)] = [
            ("buffer", .bytes(bytes)),
            ("fail-on", .int(Int(VIPS_FAIL_ON_ERROR.rawValue))),
        ]
        if upright {
            arguments.append(("access", .int(Int(VIPS_ACCESS_SEQUENTIAL.rawValue))))
        } else {
            arguments.append(("memory", .bool(true)))
        }
        switch format {
        case .jpeg where factor >= 4:
            arguments.append(("shrink", .int(factor >= 16 ? 8 : factor >= 8 ? 4 : 2)))
        case .webp where factor > 2:
            arguments.append(("scale", .double(2 / factor)))
        default: break
        }
        guard let operation = operation(for: format) else {
            throw VipsFailure("libvips does not load \(format)")
        }
        try VipsRuntime.require(for: format)
        return try .make(operation, arguments)
    }

    private static func orientation(of header: VipsPipeline, _ format: RasterFormat) -> Int {
        switch format {
        case .heic, .avif, .jpegXL: return 1
        default:
            let value = header.int("orientation") ?? 1
            return (1...8).contains(value) ? value : 1
        }
    }

    private static func frameCount(of header: VipsPipeline, _ format: RasterFormat) -> Int {
        // The pages of a JPEG 2000 are its resolutions.
        format == .jpeg2000 ? 1 : header.int("n-pages") ?? 1
    }

    private static func bits(of header: VipsPipeline) -> Int {
        if let bits = header.int("bits-per-sample") ?? header.int("heif-bitdepth") { return bits }
        return switch header.format {
        case VIPS_FORMAT_UCHAR, VIPS_FORMAT_CHAR: 8
        case VIPS_FORMAT_USHORT, VIPS_FORMAT_SHORT: 16
        case VIPS_FORMAT_DOUBLE: 64
        default: 32
        }
    }

    /// A failed load: the end is missing, or something else is wrong.
    private static func error(
        _ failure: VipsFailure, _ bytes: UnsafeRawBufferPointer, _ format: RasterFormat
    ) -> ImagingError {
        switch FileOutline(of: bytes, format: format).end {
        case .notSeen where format == .jpeg && JPEGOutline.hasEnd(bytes):
            .corrupt(format: format, reason: failure.message)
        case .missing, .notSeen: .truncated(format: format)
        case .present, .unknown: .corrupt(format: format, reason: failure.message)
        }
    }
}

extension VipsPipeline {
    /// The picture upright and with the size of the target.
    ///
    /// `orientation` is what its EXIF data say, and `whole` the size of the file's picture as stored,
    /// of which this may be a smaller version.
    func shown(
        target: TargetSize?, orientation: Int, whole: PixelSize
    ) throws(VipsFailure) -> VipsPipeline {
        guard let target else { return try turned(orientation) }
        // The sizes are those of the picture as shown; the loaded one may lie on its side.
        let isTurned = orientation > 4
        let full = ResizePlan(target, source: isTurned ? whole.transposed : whole)
        let source = isTurned ? size.transposed : size
        let exact: ResizePlan =
            if case .fill = target {
                ResizePlan(target, source: source)
            } else {
                ResizePlan(exactly: full.result, source: source)
            }
        var pixels = try cropped(to: isTurned ? exact.crop.transposed : exact.crop)
            .resized(to: isTurned ? exact.resized.transposed : exact.resized)
        if orientation > 1 { pixels = try pixels.rendered() }
        return try pixels.turned(orientation).cropped(to: exact.result)
    }

    /// The picture upright, if `orientation` is what its EXIF data say.
    fileprivate func turned(_ orientation: Int) throws(VipsFailure) -> VipsPipeline {
        func flip(_ direction: VipsDirection) -> [(String, VipsArgument)] {
            [("direction", .int(Int(direction.rawValue)))]
        }
        func angle(_ angle: VipsAngle) -> [(String, VipsArgument)] {
            [("angle", .int(Int(angle.rawValue)))]
        }
        return switch orientation {
        case 2: try then("flip", flip(VIPS_DIRECTION_HORIZONTAL))
        case 3: try then("rot", angle(VIPS_ANGLE_D180))
        case 4: try then("flip", flip(VIPS_DIRECTION_VERTICAL))
        case 5:
            try then("rot", angle(VIPS_ANGLE_D90)).then("flip", flip(VIPS_DIRECTION_HORIZONTAL))
        case 6: try then("rot", angle(VIPS_ANGLE_D90))
        case 7:
            try then("rot", angle(VIPS_ANGLE_D270)).then("flip", flip(VIPS_DIRECTION_HORIZONTAL))
        case 8: try then("rot", angle(VIPS_ANGLE_D270))
        default: self
        }
    }
}
