import CAVIF
import Glibc

/// One AVIF file under way from bytes to pixels, by libavif.
///
/// Not for sharing. The C pointers never leave this class; the bytes must stay where they are as long as
/// it lives.
final class AVIFFile {
    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let crop: avifCropRect?
    private let stored: PixelSize

    /// The size as stored, the clean aperture cut out, before the picture is turned.
    let size: PixelSize
    /// As EXIF would say how the picture lies, 1…8.
    let orientation: Int
    let frameCount: Int
    let hasAlpha: Bool
    let bitsPerSample: Int
    let colorCodePoints: ColorCodePoints
    /// The ICC profile, if there is one.
    let profile: [UInt8]?
    let facts: HeaderFacts

    /// More than these libavif does not decode.
    private static let mostPixels = 16_384 * 16_384

    /// Reads the structure of the file, and allocates nothing that depends on its size.
    init(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(ImagingError) {
        guard cavif_load() != nil else {
            throw .engineUnavailable(reason: "libavif, which decodes AVIF, is not installed")
        }
        guard let decoder = cavifDecoderCreate()() else { throw .outOfMemory(bytes: 0) }
        let image: UnsafeMutablePointer<avifImage>
        do throws(ImagingError) {
            try Self.parse(bytes, by: decoder, limits: limits)
            guard let found = decoder.pointee.image else {
                throw .corrupt(format: .avif, reason: "it has no picture")
            }
            image = found
            stored = PixelSize(
                width: Int(image.pointee.width), height: Int(image.pointee.height))
            frameCount = max(1, Int(decoder.pointee.imageCount))
            try limits.check(source: stored, frames: frameCount)
            // The compressed data may lie about their size: what is within is at most what a grid of
            // tiles needs beyond the picture.
            let most = (stored.pixelCount ?? 0).multipliedReportingOverflow(by: 4)
            decoder.pointee.imageSizeLimit = UInt32(
                clamping: most.overflow
                    ? Self.mostPixels : min(Self.mostPixels, max(most.partialValue, 65_536)))
            crop = Self.cleanAperture(of: image)
        } catch {
            cavifDecoderDestroy()(decoder)
            throw error
        }
        self.decoder = decoder
        size =
            crop.map { PixelSize(width: Int($0.width), height: Int($0.height)) } ?? stored
        orientation = Self.orientation(of: image)
        hasAlpha = decoder.pointee.alphaPresent != 0
        bitsPerSample = Int(image.pointee.depth)
        colorCodePoints = ColorCodePoints(
            primaries: Int(image.pointee.colorPrimaries),
            transfer: Int(image.pointee.transferCharacteristics))
        let icc = image.pointee.icc
        profile =
            icc.size > 0
            ? Array(UnsafeRawBufferPointer(start: icc.data, count: icc.size)) : nil
        facts = Self.facts(of: image)
    }

    deinit { cavifDecoderDestroy()(decoder) }

    /// Not the orientation in EXIF data: it means nothing beside the boxes (ISO/IEC 23008-12, annex A).
    private static func facts(of image: UnsafeMutablePointer<avifImage>) -> HeaderFacts {
        func reader(_ data: avifRWData) -> ByteReader {
            ByteReader(UnsafeRawBufferPointer(start: data.data, count: data.size))
        }
        var facts = HeaderFacts()
        facts.colorModel = image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .grey : .rgb
        if image.pointee.icc.size > 0 {
            facts.profileName = ICCProfile(reader(image.pointee.icc)).name
        }
        if image.pointee.exif.size > 0 { facts.read(exif: reader(image.pointee.exif)) }
        facts.hasXMP = image.pointee.xmp.size > 0
        return facts
    }

    private static func parse(
        _ bytes: UnsafeRawBufferPointer, by decoder: UnsafeMutablePointer<avifDecoder>,
        limits: DecodeLimits
    ) throws(ImagingError) {
        // Old writers leave out `pixi`, or `ispe` of the alpha; what the pictures are is clear without.
        decoder.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
        decoder.pointee.imageDimensionLimit = 0
        // The list of samples takes memory before it can be counted here.
        decoder.pointee.imageCountLimit = UInt32(clamping: max(65_536, limits.maximumFrames))
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        try check(cavifDecoderSetIOMemory()(decoder, start, bytes.count), decoder)
        try check(cavifDecoderParse()(decoder), decoder)
    }

    /// Lets the codec use as many threads as there are cores, if the picture is large enough to feed them.
    /// They share the same work, so that several jobs at once lose nothing.
    func useThreads() {
        guard size.pixelCount ?? 0 > 1_000_000 else { return }
        decoder.pointee.maxThreads = Int32(clamping: min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Decodes a frame, which is then the one to be rendered. Frames that it builds on are decoded
    /// before, back to the last that stands alone or to the one decoded last.
    func decode(frame index: Int) throws(ImagingError) {
        let result =
            Int(decoder.pointee.imageIndex) + 1 == index
            ? cavifDecoderNextImage()(decoder)
            : cavifDecoderNthImage()(decoder, UInt32(clamping: index))
        try Self.check(result, decoder)
        guard let image = decoder.pointee.image, Int(image.pointee.width) == stored.width,
            Int(image.pointee.height) == stored.height
        else { throw .corrupt(format: .avif, reason: "a frame has the wrong size") }
    }

    /// Writes some rows of the frame as straight RGBA, full range, of 8 or 16 bits a sample, into
    /// `memory`, which has exactly their size. The first row must be even.
    func render(
        rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer, bits: Int
    ) throws(ImagingError) {
        let rowBytes = size.width * (bits > 8 ? 8 : 4)
        guard memory.count == rows.count * rowBytes, let image = decoder.pointee.image,
            let view = cavifImageCreateEmpty()()
        else { throw .outOfMemory(bytes: memory.count) }
        defer { cavifImageDestroy()(view) }
        let part = avifCropRect(
            x: crop?.x ?? 0, y: (crop?.y ?? 0) + UInt32(clamping: rows.lowerBound),
            width: UInt32(clamping: size.width), height: UInt32(clamping: rows.count))
        let cut = withUnsafePointer(to: part) { cavifImageSetViewRect()(view, image, $0) }
        guard cut == AVIF_RESULT_OK else { throw Self.error(cut, decoder) }
        var rgb = avifRGBImage()
        cavifRGBImageSetDefaults()(&rgb, view)
        rgb.format = AVIF_RGB_FORMAT_RGBA
        rgb.depth = UInt32(bits)
        rgb.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_BEST_QUALITY
        rgb.pixels = memory.bindMemory(to: UInt8.self).baseAddress
        rgb.rowBytes = UInt32(clamping: rowBytes)
        let result = cavifImageYUVToRGB()(view, &rgb)
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_REFORMAT_FAILED, AVIF_RESULT_NOT_IMPLEMENTED:
            // Those of constant luminance, ICtCp and a few more.
            throw .unsupportedFormat(
                "AVIF with matrix coefficients \(image.pointee.matrixCoefficients)")
        default: throw Self.error(result, decoder)
        }
    }

    /// How long a frame shows.
    func duration(ofFrame index: Int) -> Duration {
        var timing = avifImageTiming()
        guard
            cavifDecoderNthImageTiming()(decoder, UInt32(clamping: index), &timing)
                == AVIF_RESULT_OK,
            timing.timescale > 0
        else { return .zero }
        let (whole, part) = timing.durationInTimescales.quotientAndRemainder(
            dividingBy: timing.timescale)
        // Longer than a month is a lie.
        let seconds = Int64(clamping: min(whole, 2_678_400))
        return .seconds(seconds) + .seconds(Double(part) / Double(timing.timescale))
    }

    /// Whether a frame builds on none before it.
    func isKeyFrame(_ index: Int) -> Bool {
        cavifDecoderIsKeyframe()(decoder, UInt32(clamping: index)) != 0
    }

    private static func check(
        _ result: avifResult, _ decoder: UnsafeMutablePointer<avifDecoder>
    ) throws(ImagingError) {
        guard result == AVIF_RESULT_OK else { throw error(result, decoder) }
    }

    private static func error(
        _ result: avifResult, _ decoder: UnsafeMutablePointer<avifDecoder>
    ) -> ImagingError {
        switch result {
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR: return .truncated(format: .avif)
        case AVIF_RESULT_NO_CODEC_AVAILABLE: return .codecMissing(format: .avif)
        case AVIF_RESULT_OUT_OF_MEMORY: return .outOfMemory(bytes: 0)
        default:
            let details = withUnsafeBytes(of: decoder.pointee.diag.error) { text in
                String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            }
            let name = cavifResultToString()(result).map { String(cString: $0) } ?? "unknown error"
            return .corrupt(format: .avif, reason: details.isEmpty ? name : details)
        }
    }
}

/// Where the picture lies within what is stored, and how.
extension AVIFFile {
    /// The clean aperture (`clap`, ISO/IEC 14496-12, 12.1.4); nil if there is none, or one that breaks the
    /// rules: then the whole is shown, as browsers do.
    fileprivate static func cleanAperture(
        of image: UnsafeMutablePointer<avifImage>
    ) -> avifCropRect? {
        guard image.pointee.transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 else { return nil }
        var crop = avifCropRect()
        var diagnostics = avifDiagnostics()
        let isValid = withUnsafePointer(to: image.pointee.clap) { box in
            cavifCropRectConvertCleanApertureBox()(
                &crop, box, image.pointee.width, image.pointee.height, image.pointee.yuvFormat,
                &diagnostics) != 0
        }
        guard isValid, crop.width > 0, crop.height > 0 else { return nil }
        return crop
    }

    /// Rotation and mirror (`irot`, `imir`; ISO/IEC 23008-12, 6.5.10 and 6.5.12) as one number.
    fileprivate static func orientation(of image: UnsafeMutablePointer<avifImage>) -> Int {
        let flags = image.pointee.transformFlags
        let angle =
            flags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(image.pointee.irot.angle & 3) : 0
        guard flags & AVIF_TRANSFORM_IMIR.rawValue != 0 else { return [1, 8, 3, 6][angle] }
        // First turned against the clock, then mirrored: top to bottom, or left to right.
        return (image.pointee.imir.mode == 0 ? [4, 5, 2, 7] : [2, 7, 4, 5])[angle]
    }
}
