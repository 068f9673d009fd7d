import Vitrine

extension ImageLoader.Configuration {
    /// What every subcommand loads with: one disk cache for all runs, and no memory between them.
    static var program: ImageLoader.Configuration {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .standard(applicationID: "vitrine")
        return configuration
    }
}

extension EncodingFormat {
    /// What a changed picture is written as if nothing is said: the source's own format where it can
    /// be written and holds what the picture has, else PNG; WebP for an animated PNG.
    init(bestFor image: RasterImage) {
        switch image.info.format {
        case .jpeg where image.isOpaque: self = .jpeg
        case .webp: self = .webp
        case .gif: self = .gif
        case .avif: self = .avif
        case .png where image.frameCount > 1: self = .webp
        default: self = .png
        }
    }
}
