import CWebP

/// Decodes a WebP bitstream part by part, so that it can be stopped, and so that the rows are known that
/// a damaged one has.
enum WebPRows {
    /// Decodes a still picture or a frame's bitstream, scaled to `size`, as straight RGBA; `memory` has
    /// exactly that size.
    ///
    /// Returns how many rows there are from the top, and what is wrong if they are not all.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> (rows: Int, error: ImagingError?) {
        let isWhole = try size == WebPCodec.size(of: bytes)
        var config = WebPDecoderConfig()
        guard cwebp_init_decoder(&config) != 0 else {
            throw .engineUnavailable(reason: "libwebp has another version than its header")
        }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = memory.bindMemory(to: UInt8.self).baseAddress
        config.output.u.RGBA.stride = Int32(clamping: size.width * 4)
        config.output.u.RGBA.size = memory.count
        if !isWhole {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(clamping: size.width)
            config.options.scaled_height = Int32(clamping: size.height)
        }
        // libwebp keeps the address of the configuration.
        let result = withUnsafeMutablePointer(to: &config) { config in
            defer { cwebpFreeDecBuffer()(&config.pointee.output) }
            return Result { () throws(ImagingError) in
                guard let decoder = cwebpIDecode()(nil, 0, config) else {
                    throw .outOfMemory(bytes: memory.count)
                }
                defer { cwebpIDelete()(decoder) }
                let parts = (size.pixelCount ?? 0) < 65_536 ? 1 : 32
                let status = try feed(bytes, in: parts, to: decoder, cancellation)
                var last: Int32 = 0
                let isStarted = cwebpIDecGetRGB()(decoder, &last, nil, nil, nil) != nil
                return (isStarted ? Int(last) : 0, error(status, memory.count))
            }
        }
        return try result.get()
    }

    /// Hands the bytes over in so many parts.
    private static func feed(
        _ bytes: UnsafeRawBufferPointer, in parts: Int, to decoder: OpaquePointer,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> VP8StatusCode {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        let step = bytes.count / parts + 1
        var end = 0
        while true {
            try cancellation.check()
            end = min(bytes.count, end + step)
            let status = cwebpIUpdate()(decoder, start, end)
            guard status == VP8_STATUS_SUSPENDED, end < bytes.count else { return status }
        }
    }

    private static func error(_ status: VP8StatusCode, _ bytes: Int) -> ImagingError? {
        switch status {
        case VP8_STATUS_OK: nil
        case VP8_STATUS_OUT_OF_MEMORY: .outOfMemory(bytes: bytes)
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA:
            .corrupt(format: .webp, reason: "the data of a picture are incomplete")
        default: .corrupt(format: .webp, reason: "the data of a picture are invalid")
        }
    }
}
