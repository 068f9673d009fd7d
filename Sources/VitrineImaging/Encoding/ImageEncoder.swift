import CVips
import FoundationEssentials

/// Writes still pictures as files, by means of libvips.
enum ImageEncoder {
    static func check(_ size: PixelSize, _ format: EncodingFormat) throws(ImagingError) {
        let longest = max(size.width, size.height)
        guard longest <= format.maximumDimension else {
            throw .tooLarge(what: .dimension, found: longest, limit: format.maximumDimension)
        }
    }

    /// Options and size have been checked.
    static func encode(
        _ frame: PixelBuffer, as format: EncodingFormat, options: EncodeOptions
    ) throws(ImagingError) -> Data {
        try VipsRuntime.start(for: format.rasterFormat)
        do {
            return try VipsPipeline.withPixels(of: frame) { (pixels) throws(VipsFailure) in
                var arguments = arguments(format, options)
                if format == .png { arguments.append(try filter(for: pixels)) }
                guard let metadata = options.metadata, !metadata.isEmpty else {
                    return try pixels.encoded(
                        by: saver(format), [("strip", .bool(true))] + arguments)
                }
                return try pixels.carrying(metadata, for: frame.size).encoded(
                    by: saver(format), arguments)
            }
        } catch {
            throw .encodingFailed(format: format, reason: error.message)
        }
    }

    /// How the rows of a PNG are written: as differences, which makes photos and gradients many times
    /// smaller, or as they are, which suits flat drawings; by what is smaller for rows in the middle.
    private static func filter(
        for pixels: VipsPipeline
    ) throws(VipsFailure) -> (String, VipsArgument) {
        let sample = try pixels.cropped(
            to: PixelSize(width: pixels.width, height: min(pixels.height, 64)))
        let kinds = [VIPS_FOREIGN_PNG_FILTER_NONE, VIPS_FOREIGN_PNG_FILTER_ALL].map {
            ("filter", VipsArgument.int(Int($0.rawValue)))
        }
        var sizes: [Int] = []
        for kind in kinds {
            let file = try sample.encoded(
                by: "pngsave_buffer", [("strip", .bool(true)), ("compression", .int(1)), kind])
            sizes.append(file.count)
        }
        return sizes[1] < sizes[0] ? kinds[1] : kinds[0]
    }

    private static func saver(_ format: EncodingFormat) -> String {
        switch format {
        case .png: "pngsave_buffer"
        case .jpeg: "jpegsave_buffer"
        case .webp: "webpsave_buffer"
        case .avif: "heifsave_buffer"
        case .gif: "gifsave_buffer"
        }
    }

    private static func arguments(
        _ format: EncodingFormat, _ options: EncodeOptions
    ) -> [(String, VipsArgument)] {
        let quality = VipsArgument.int(options.quality(for: format))
        return switch format {
        case .png: [("compression", .int(options.effort(6, of: 9)))]
        case .jpeg:
            [
                ("Q", quality), ("background", .doubles([255, 255, 255])),
                ("optimize-coding", .bool(options.effort(0, of: 9) >= 5)),
            ]
        case .webp:
            [
                ("Q", quality), ("lossless", .bool(options.lossless)),
                ("effort", .int(options.effort(6, of: 6))),
            ]
        case .avif:
            [
                ("Q", quality),
                ("compression", .int(Int(VIPS_FOREIGN_HEIF_COMPRESSION_AV1.rawValue))),
                ("effort", .int(options.effort(1, of: 9))),
            ]
        case .gif: [("effort", .int(options.effort(6, of: 9) + 1))]
        }
    }
}
