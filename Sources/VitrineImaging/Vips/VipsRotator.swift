import CVips

/// Turns pixels by any angle by means of libvips.
enum VipsRotator {
    /// `frame` turned clockwise around its centre, on the smallest canvas that holds all of it.
    static func rotate(
        _ frame: PixelBuffer, cosine: Double, sine: Double
    ) throws -> PixelBuffer {
        let (width, height) = (Double(frame.size.width), Double(frame.size.height))
        // A hair less than the bounds, for what is whole but for a rounding error.
        let across = (abs(width * cosine) + abs(height * sine) - 1e-6).rounded(.up)
        let down = (abs(width * sine) + abs(height * cosine) - 1e-6).rounded(.up)
        let size = PixelSize(
            width: Int(exactly: max(1, across)) ?? Int.max,
            height: Int(exactly: max(1, down)) ?? Int.max)
        try DecodeLimits().check(result: size)
        try VipsRuntime.start()
        return try PixelBuffer(unclearedSize: size, isOpaque: nil) { memory in
            try VipsPipeline.withPixels(of: frame) { (pixels) throws(VipsFailure) in
                let whole =
                    frame.isOpaque
                    ? try pixels.then("bandjoin_const", [("c", .doubles([255]))]) : pixels
                try whole.then("premultiply").then(
                    "affine",
                    [
                        ("matrix", .doubles([cosine, -sine, sine, cosine])),
                        ("interpolate", .interpolator("bicubic")),
                        ("premultiplied", .bool(true)),
                        ("oarea", .ints([0, 0, size.width, size.height])),
                        // From the centre of one to the centre of the other.
                        ("idx", .double(0.5 - width / 2)), ("idy", .double(0.5 - height / 2)),
                        ("odx", .double(Double(size.width) / 2 - 0.5)),
                        ("ody", .double(Double(size.height) / 2 - 0.5)),
                    ]
                ).then("unpremultiply")
                    .then("round", [("round", .int(Int(VIPS_OPERATION_ROUND_RINT.rawValue)))])
                    .asRGBA().render(into: memory)
            }
        }
    }
}
