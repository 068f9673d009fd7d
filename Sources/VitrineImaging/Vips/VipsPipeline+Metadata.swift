import FoundationEssentials

/// What libvips found beside the pixels.
extension VipsPipeline {
    /// Fills in what the metadata tell; `facts` is what was found in the bytes.
    ///
    /// - Throws: ``ImagingError/tooLarge(what:found:limit:)`` for an ICC profile beyond the limit.
    func describe(
        _ info: inout ImageInfo, _ facts: HeaderFacts, _ limits: DecodeLimits
    ) throws(ImagingError) {
        var facts = facts
        facts.colorModel = facts.colorModel ?? colorModel
        facts.hasXMP = facts.hasXMP || has("xmp-data")
        if let size = withBlob("icc-profile-data", { $0.count }) {
            try limits.check(profileBytes: size)
            if let profile = withBlob("icc-profile-data", { ICCProfile($0) }) {
                facts.profileName = profile.name ?? facts.profileName
                info.colorCodePoints = info.colorCodePoints ?? profile.colorCodePoints
            }
        }
        withBlob("exif-data") { facts.read(exif: $0) }
        facts.describe(&info)
    }

    /// The same picture with these metadata and a profile of sRGB, for an encoder.
    func carrying(
        _ metadata: ImageMetadata, for size: PixelSize
    ) throws(VipsFailure) -> VipsPipeline {
        let copy = try then("copy")
        if let exif = metadata.exif(for: size) {
            (Data("Exif\0\0".utf8) + exif).withUnsafeBytes { copy.setBlob("exif-data", $0) }
        }
        metadata.xmp?.withUnsafeBytes { copy.setBlob("xmp-data", $0) }
        try VipsCall("profile_load", [("name", .string("srgb"))]).withBytes("profile") {
            copy.setBlob("icc-profile-data", $0)
        }
        return copy
    }

    private var colorModel: ImageInfo.ColorModel? {
        if int("palette-bit-depth") != nil { return .palette }
        return switch colorBands {
        case 1: .grey
        case 3: .rgb
        case 4: .cmyk
        default: nil
        }
    }
}
