import FoundationEssentials

/// Writes pixels as files.
enum ImageEncoder {
    static func encode(
        _ frame: PixelBuffer, as format: EncodingFormat, options: EncodeOptions
    ) throws(ImagingError) -> Data {
        guard (1...100).contains(options.quality) else {
            throw .invalidArgument(
                name: "quality", reason: "\(options.quality) is not within 1 to 100")
        }
        let longest = max(frame.size.width, frame.size.height)
        guard longest <= format.maximumDimension else {
            throw .tooLarge(what: .dimension, found: longest, limit: format.maximumDimension)
        }
        try VipsRuntime.start()
        do {
            return try VipsPipeline.withPixels(of: frame) { (pixels) throws(VipsFailure) in
                switch format {
                case .png:
                    try pixels.encoded(by: "pngsave_buffer", [("strip", .bool(true))])
                case .jpeg:
                    try pixels.encoded(
                        by: "jpegsave_buffer",
                        [
                            ("strip", .bool(true)), ("Q", .int(options.quality)),
                            ("background", .doubles([255, 255, 255])),
                        ])
                case .webp:
                    try pixels.encoded(
                        by: "webpsave_buffer",
                        [("strip", .bool(true)), ("Q", .int(options.quality))])
                }
            }
        } catch {
            throw .encodingFailed(format: format, reason: error.message)
        }
    }
}
