public import FoundationEssentials

/// What a file says about its picture beside the pixels: EXIF data and an XMP packet, as they are.
///
/// Pictures carry none of it, so nothing is kept alive or given away unawares. Who wants it in a new
/// file reads it from the old one and hands it over:
///
/// ```swift
/// var options = EncodeOptions()
/// options.metadata = try ImageMetadata(reading: data).removingLocation()
/// let jpeg = try image.encoded(as: .jpeg, options: options)
/// ```
///
/// EXIF data often tell where a picture was taken, when, and with which camera by its serial number; XMP
/// may say the same once more.
public struct ImageMetadata: Sendable, Hashable {
    /// EXIF data: a TIFF of directories and tags (CIPA DC-008, 4.5), without `Exif\0\0` before it.
    public var exif: Data?
    /// An XMP packet (ISO 16684-1): XML as UTF-8.
    public var xmp: Data?

    /// Metadata from elsewhere.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// Reads the metadata of a file: of JPEG, PNG, WebP, TIFF, HEIC, AVIF and JPEG XL as far as libvips
    /// finds them; of other formats there are none. The file's header is read, no pixels.
    ///
    /// Blocks, as ``ImageInfo/init(probing:limits:)`` does.
    ///
    /// - Throws: what ``ImageInfo/init(probing:limits:)`` throws, and
    ///   ``ImagingError/tooLarge(what:found:limit:)`` if both together have more than `maximumBytes`.
    public init(
        reading data: Data, limits: DecodeLimits = DecodeLimits(), maximumBytes: Int = 1_048_576
    ) throws(ImagingError) {
        let info = try ImageInfo(probing: data, limits: limits)
        guard VipsLoader.operation(for: info.format) != nil, info.format != .gif else { return }
        let found = try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            try VipsLoader.metadata(of: bytes, info.format, maximumBytes: maximumBytes)
        }
        self = found
    }

    /// True if there is nothing.
    public var isEmpty: Bool { exif == nil && xmp == nil }

    /// The same without the directory that says where the picture was taken, and without XMP, which may
    /// say it too.
    public func removingLocation() -> ImageMetadata {
        guard let exif else { return ImageMetadata() }
        var edited = EXIFEdit(exif)
        edited.clearDirectory(named: 0x8825)
        return ImageMetadata(exif: edited.bytes)
    }

    /// The EXIF data as they are true for a picture of this size, upright and without a thumbnail.
    func exif(for size: PixelSize) -> Data? {
        guard let exif else { return nil }
        var edited = EXIFEdit(exif)
        edited.adapt(to: size)
        return edited.bytes
    }
}
