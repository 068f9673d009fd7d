import FoundationEssentials
import Vitrine

/// The file that a picture becomes.
struct PictureFile {
    let data: Data
    let format: RasterFormat
    /// Frames that are not in it since its format holds one, although nobody asked for a still.
    let droppedFrames: Int

    /// The bytes as they came where nothing changes, else the picture encoded anew. Blocks.
    ///
    /// The part of a damaged picture is encoded anew too, so that no damaged file is passed on.
    init(_ response: ImageResponse, _ options: GetOptions) throws {
        var image = response.image
        let losesFrames = options.onlyFirstFrame && image.frameCount > 1
        let isResized = image.pixelSize != image.info.pixelSize
        let isChanged = options.changesAll || isResized || losesFrames || !image.isComplete
        if !isChanged, let original = response.data {
            data = original
            format = image.info.format
            droppedFrames = 0
            return
        }
        if losesFrames {
            image = RasterImage(image.posterFrame, info: image.info, scale: image.scale)
        }
        let target =
            options.format
            ?? EncodingFormat(bestFor: image, isLossless: options.encoding.lossless)
        var encoding = options.encoding
        if options.keepsMetadata, let original = response.data {
            encoding.metadata = try ImageMetadata(
                reading: original, limits: options.configuration.decodeLimits)
        }
        data = try image.encoded(as: target, options: encoding)
        format = target.rasterFormat
        droppedFrames = target.keepsAnimation ? 0 : image.frameCount - 1
    }
}
