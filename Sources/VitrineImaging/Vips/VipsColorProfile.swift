/// Brings pixels to sRGB by means of libvips.
enum VipsColorProfile {
    /// `frame`, whose colours are those of the ICC profile `profile`, in sRGB; `frame` itself where the
    /// profile is damaged or not for RGB, for then it means nothing.
    static func apply(_ profile: ByteReader, to frame: PixelBuffer) throws -> PixelBuffer {
        try VipsRuntime.start()
        return try PixelBuffer(size: frame.size) { memory in
            try VipsPipeline.withPixels(of: frame) { (pixels) throws(VipsFailure) in
                try pixels.tagged(profile.copy).asRGBA().render(into: memory)
            }
        }
    }
}
