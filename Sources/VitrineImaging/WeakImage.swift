/// A picture that is there as long as somebody else keeps it alive.
///
/// Of a still its pixels count, not the value that holds them; of an animation what its holders share.
/// What belongs to the picture beside its frames is kept, and is small.
package struct WeakImage: Sendable {
    private let source: @Sendable () -> (any FrameSource)?
    private let scale: Double
    private let info: ImageInfo
    private let isComplete: Bool

    package init(_ image: RasterImage) {
        source = image.source.weakReference()
        scale = image.scale
        info = image.info
        isComplete = image.isComplete
    }

    /// The picture; nil once nobody holds it any more.
    package var image: RasterImage? {
        source().map { RasterImage($0, scale: scale, info: info, isComplete: isComplete) }
    }
}
