import FoundationEssentials

/// How a picture is written.
public struct EncodeOptions: Sendable, Hashable {
    /// 1 (small) … 100 (good), for JPEG, WebP and AVIF; nil is 82, for AVIF 60, which looks alike.
    ///
    /// What is lossless anyway, and GIF, is written the same whatever it is.
    public var quality: Int?
    /// True keeps each pixel as it is: WebP, and PNG, which is always lossless. JPEG and GIF cannot, nor
    /// can AVIF as it is written here, for it changes the colour space.
    public var lossless: Bool
    /// 0 (fast) … 9 (small): how much time is spent on a smaller file.
    ///
    /// nil is what suits the format: PNG 6, JPEG 0, WebP 6, GIF 6, AVIF 1 (about 50 ms a megapixel; 4
    /// takes 20 times as long for files that are 10 % smaller). JPEG knows two steps, below 5 and from 5
    /// on.
    public var effort: Int?
    /// EXIF data and XMP for the file; none by default. They are written into still PNG, JPEG, WebP and
    /// AVIF, together with an sRGB profile.
    ///
    /// The EXIF orientation becomes 1 and the size that of the picture, since the pixels are upright; the
    /// thumbnail, which shows the old picture, is removed. What else they tell stays, such as where the
    /// picture was taken: ``ImageMetadata/removingLocation()``.
    public var metadata: ImageMetadata?

    /// The defaults, or some of them changed.
    public init(
        quality: Int? = nil, lossless: Bool = false, effort: Int? = nil,
        metadata: ImageMetadata? = nil
    ) {
        self.metadata = metadata
        self.quality = quality
        self.lossless = lossless
        self.effort = effort
    }

    func check(for format: EncodingFormat) throws(ImagingError) {
        if let quality, !(1...100).contains(quality) {
            throw .invalidArgument(name: "quality", reason: "\(quality) is not within 1 to 100")
        }
        if let effort, !(0...9).contains(effort) {
            throw .invalidArgument(name: "effort", reason: "\(effort) is not within 0 to 9")
        }
        if lossless, format != .png, format != .webp {
            throw .invalidArgument(
                name: "lossless", reason: "\(format) cannot keep each pixel as it is")
        }
    }

    /// Whether a picture of so many frames can keep the metadata asked for.
    func checkMetadata(for format: EncodingFormat, frames: Int) throws(ImagingError) {
        guard let metadata, !metadata.isEmpty else { return }
        func refuse(_ reason: String) throws(ImagingError) {
            throw .invalidArgument(name: "metadata", reason: reason)
        }
        if format == .gif { try refuse("GIF has no place for them") }
        if frames > 1, format.keepsAnimation { try refuse("animations are written without them") }
        if let exif = metadata.exif, exif.withUnsafeBytes({ EXIFBlock(ByteReader($0)) == nil }) {
            try refuse("the EXIF data are damaged")
        }
        // A segment of a JPEG (ITU-T T.81, B.1.1.4) with its mark before it; libvips' bound for XMP.
        guard format == .jpeg else { return }
        if metadata.exif?.count ?? 0 > 65_527 { try refuse("the EXIF data are too large for JPEG") }
        if metadata.xmp?.count ?? 0 > 60_000 { try refuse("the XMP packet is too large for JPEG") }
    }

    func quality(for format: EncodingFormat) -> Int { quality ?? (format == .avif ? 60 : 82) }

    /// The effort on the format's own scale of 0 to `most`.
    func effort(_ normal: Int, of most: Int) -> Int { ((effort ?? normal) * most + 4) / 9 }
}
