/// Resizes pixels by means of libvips.
enum VipsResizer {
    /// `frame` after the steps of `plan`, of which the first one keeps what `crop` says; `frame` itself
    /// if they leave it as it is.
    static func resize(
        _ frame: PixelBuffer, by plan: ResizePlan, crop: FillFilter.Crop = .center
    ) throws -> PixelBuffer {
        guard !plan.isIdentity(for: frame.size) else { return frame }
        try DecodeLimits().check(result: plan.result)
        try DecodeLimits(maximumResultPixels: 1_000_000_000_000).check(result: plan.resized)
        try VipsRuntime.start()
        return try PixelBuffer(unclearedSize: plan.result, isOpaque: nil) { memory in
            try VipsPipeline.withPixels(of: frame) { (pixels) throws(VipsFailure) in
                try pixels.cropped(to: plan.crop, keeping: crop).resized(to: plan.resized)
                    .cropped(to: plan.result).asRGBA().render(into: memory)
            }
        }
    }
}
