/// What jobs claim of a ``DecodeBudget``.
extension DecodeBudget {
    /// The most bytes that decoding a file takes, its result included.
    ///
    /// Measured as the peak of resident memory at 12 megapixels, the worst kind of each format at the
    /// worst target size, rounded up: a progressive JPEG, an interlaced PNG, a lossless WebP, a grid of AVIF.
    public static func bytes(toDecode info: ImageInfo, options: DecodeOptions) -> Int {
        let result = options.resultSize(of: info.pixelSize, isVector: info.format == .svg)
        // Surfaces of groups, and the file as a tree.
        if info.format == .svg {
            return sum((result.pixelCount ?? 0, 4), (134_217_728, 1), (info.byteCount, 24))
        }
        let plan = options.targetSize.map { ResizePlan($0, source: info.pixelSize) }
        // Whoever decodes it, some rows are in memory at a time: measured as 4 MB at 12 and at 48
        // megapixels in Swift, 10 MB in libvips, which gets what is odd.
        if info.format == .jpeg, info.comesByRows, let plan, plan.factor >= 4 {
            let side = max(info.pixelSize.width, info.pixelSize.height)
            return sum((side, 256), (result.pixelCount ?? 0, 8), (4_194_304, 1))
        }
        // A canvas and a frame besides.
        let animation = info.frameCount > 1 && info.format != .tiff ? 8 : 0
        let factor = bytesPerPixel(info.format, isDeep: info.bitsPerSample > 8) + animation
        return sum(
            (info.pixelSize.pixelCount ?? 0, factor), (result.pixelCount ?? 0, 4),
            (4_194_304, 1))
    }

    /// The most bytes that filtering a picture takes, if it does not grow: the result and two copies to
    /// work on.
    public static func bytes(toFilter image: RasterImage) -> Int {
        sum((image.posterFrame.byteCount, 3))
    }

    /// Bytes for each pixel of the file while it is decoded; deep is what has more than 8 bits a sample.
    private static func bytesPerPixel(_ format: RasterFormat, isDeep: Bool) -> Int {
        switch format {
        case .png, .jpeg, .tiff, .jpeg2000: isDeep ? 8 : 4
        case .gif, .webp, .jpegXL, .bmp, .ico, .xbm: isDeep ? 16 : 8
        case .avif: isDeep ? 16 : 11
        case .heic: isDeep ? 20 : 10
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
