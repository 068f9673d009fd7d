/// What jobs claim of a ``DecodeBudget``.
extension DecodeBudget {
    /// The most bytes that decoding a file takes, its result included.
    ///
    /// Measured as the peak of resident memory at 12 megapixels, the worst kind of each format at the
    /// worst target size, rounded up: a progressive JPEG, an interlaced PNG, a lossless WebP.
    public static func bytes(toDecode info: ImageInfo, options: DecodeOptions) -> Int {
        let result = options.resultSize(of: info.pixelSize, isVector: info.format == .svg)
        // Surfaces of groups, and the file as a tree.
        if info.format == .svg {
            return sum((result.pixelCount ?? 0, 4), (134_217_728, 1), (info.byteCount, 24))
        }
        // A canvas and a frame besides.
        let animation = info.frameCount > 1 && info.format != .tiff ? 8 : 0
        let depth = info.bitsPerSample > 8 ? 2 : 1
        let factor = bytesPerPixel(info.format) * depth + animation
        return sum(
            (info.pixelSize.pixelCount ?? 0, factor), (result.pixelCount ?? 0, 4),
            (4_194_304, 1))
    }

    /// The most bytes that filtering a picture takes, if it does not grow: the result and two copies to
    /// work on.
    public static func bytes(toFilter image: RasterImage) -> Int {
        sum((image.posterFrame.byteCount, 3))
    }

    /// Bytes for each pixel of the file while it is decoded, of 8-bit samples.
    private static func bytesPerPixel(_ format: RasterFormat) -> Int {
        switch format {
        case .png, .jpeg, .tiff, .jpeg2000: 4
        case .gif, .webp, .avif, .jpegXL, .bmp, .ico, .xbm: 8
        case .heic: 10
        case .svg: 0
        }
    }

    private static func sum(_ products: (Int, Int)...) -> Int {
        products.reduce(0) { total, product in
            let (value, isTooLarge) = product.0.multipliedReportingOverflow(by: product.1)
            let (sum, overflow) = total.addingReportingOverflow(value)
            return isTooLarge || overflow ? Int.max / 2 : sum
        }
    }
}
