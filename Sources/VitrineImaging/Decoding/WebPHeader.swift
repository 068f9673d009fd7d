/// What the chunks of a still WebP tell (RFC 9649, 2.7).
struct WebPHeader {
    let size: PixelSize
    let hasAlpha: Bool
    private(set) var hasColorProfile = false
    private(set) var orientation = 1
    private(set) var colorCodePoints: ColorCodePoints?

    /// Reads them as far as they are there.
    ///
    /// - Throws: ``ImagingError/truncated(format:)`` or ``ImagingError/corrupt(format:reason:)`` without
    ///   the beginning of a picture.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        guard let features = WebPCodec.features(of: bytes) else {
            throw FileOutline(of: bytes, format: .webp).end == .missing
                ? .truncated(format: .webp)
                : .corrupt(format: .webp, reason: "its header is invalid")
        }
        (size, hasAlpha) = features
        guard bytes.begins("VP8X", at: 12) else { return }
        var chunks = RIFFChunks(bytes, 30..<bytes.count)
        while let chunk = chunks.next() {
            switch chunk.kind {
            case "ICCP":
                hasColorProfile = true
                colorCodePoints = ICCProfile.colorCodePoints(
                    of: ByteReader(UnsafeRawBufferPointer(rebasing: bytes[chunk.body])))
            case "EXIF":
                let data = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[chunk.body]))
                let prefix = data.begins("Exif\0\0") ? 6 : 0
                orientation = EXIFOrientation.read(data.rest(from: prefix)) ?? 1
            default: break
            }
        }
    }

    /// The same as facts of the file.
    func info(byteCount: Int) -> ImageInfo {
        var info = ImageInfo(
            format: .webp, pixelSize: orientation > 4 ? size.transposed : size, hasAlpha: hasAlpha,
            orientation: orientation, hasColorProfile: hasColorProfile, byteCount: byteCount)
        info.colorCodePoints = colorCodePoints
        return info
    }
}
