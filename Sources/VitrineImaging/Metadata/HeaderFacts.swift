/// What the header of a picture says beyond its size, found without decoding.
struct HeaderFacts {
    var colorModel: ImageInfo.ColorModel?
    var isProgressive = false
    var resolution: ImageInfo.Resolution?
    var profileName: String?
    var hasEXIF = false
    var hasXMP = false
    var hasThumbnail = false
    var hasGainMap = false

    /// None yet.
    init() {}

    /// Those that libvips does not report, in the header of a JPEG or TIFF.
    init(of bytes: ByteReader, format: RasterFormat) {
        switch format {
        case .jpeg: self = HeaderFacts(jpeg: bytes)
        case .tiff:
            let tags = EXIFBlock(bytes)
            resolution = tags?.main.flatMap { tags?.resolution(of: $0) }
        default: break
        }
    }

    /// Adds what EXIF data say (CIPA DC-008).
    mutating func read(exif bytes: ByteReader) {
        hasEXIF = true
        guard let exif = EXIFBlock(bytes), let main = exif.main else { return }
        resolution = resolution ?? exif.resolution(of: main)
        guard let thumbnail = exif.thumbnailDirectory else { return }
        hasThumbnail = exif.integer(513, of: thumbnail) != nil
    }

    /// Fills them in.
    func describe(_ info: inout ImageInfo) {
        info.colorModel = colorModel
        info.isProgressive = isProgressive
        info.resolution = resolution
        info.colorProfileName = profileName
        info.hasEXIF = hasEXIF
        info.hasXMP = hasXMP
        info.hasThumbnail = hasThumbnail
        info.hasGainMap = hasGainMap
    }
}
