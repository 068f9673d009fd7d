/// What the chunks of a still WebP tell (RFC 9649, 2.7).
struct WebPHeader {
    let size: PixelSize
    let hasAlpha: Bool
    private(set) var hasColorProfile = false
    private(set) var orientation = 1
    private(set) var colorCodePoints: ColorCodePoints?
    private var profileBytes = 0
    private var facts = HeaderFacts()

    /// Reads them as far as they are there.
    ///
    /// - Throws: ``ImagingError/truncated(format:)`` or ``ImagingError/corrupt(format:reason:)`` without
    ///   the beginning of a picture.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        guard let features = try WebPCodec.features(of: bytes) else {
            throw FileOutline(of: bytes, format: .webp).end == .missing
                ? .truncated(format: .webp)
                : .corrupt(format: .webp, reason: "its header is invalid")
        }
        (size, hasAlpha) = features
        facts.colorModel = .rgb
        guard bytes.begins("VP8X", at: 12) else { return }
        var chunks = RIFFChunks(bytes, from: 30, to: bytes.count)
        while let chunk = chunks.next() {
            switch chunk.kind {
            case "ICCP":
                hasColorProfile = true
                profileBytes = chunk.body.count
                let profile = ICCProfile(
                    ByteReader(UnsafeRawBufferPointer(rebasing: bytes[chunk.body])))
                facts.profileName = profile.name
                colorCodePoints = profile.colorCodePoints
            case "EXIF":
                let data = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[chunk.body]))
                orientation = EXIFBlock(data)?.orientation ?? 1
                facts.read(exif: data)
            case "XMP ": facts.hasXMP = true
            default: break
            }
        }
    }

    /// The same as facts of the file.
    ///
    /// - Throws: ``ImagingError/tooLarge(what:found:limit:)``.
    func info(byteCount: Int, limits: DecodeLimits) throws(ImagingError) -> ImageInfo {
        var info = ImageInfo(
            format: .webp, pixelSize: orientation > 4 ? size.transposed : size, hasAlpha: hasAlpha,
            orientation: orientation, hasColorProfile: hasColorProfile, byteCount: byteCount)
        info.colorCodePoints = colorCodePoints
        facts.describe(&info)
        try limits.check(source: info.pixelSize, frames: 1)
        try limits.check(profileBytes: profileBytes)
        return info
    }
}
