import Vitrine

extension ImageLoader.Configuration {
    /// What every subcommand loads with: one disk cache for all runs. Nothing is kept in memory, since
    /// what comes from there has pixels only, and no bytes to write.
    static var program: ImageLoader.Configuration {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .standard(applicationID: "vitrine")
        configuration.memoryCapacity = 0
        configuration.memoryPurgeTarget = 0
        return configuration
    }
}

extension EncodingFormat {
    /// What a changed picture is written as if nothing is said: the source's own format where it can
    /// be written and holds what the picture has, else PNG; WebP for an animated PNG. A lossless one is
    /// WebP where it was or where it is animated.
    init(bestFor image: RasterImage, isLossless: Bool) {
        switch image.info.format {
        case let source where isLossless:
            self = source == .webp || image.frameCount > 1 ? .webp : .png
        case .jpeg where image.isOpaque: self = .jpeg
        case .webp: self = .webp
        case .gif: self = .gif
        case _ where image.frameCount > 1: self = .webp
        case .avif: self = .avif
        default: self = .png
        }
    }
}
