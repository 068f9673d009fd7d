import FoundationEssentials

/// The steps from a drawn canvas to the frame that is shown: size, orientation, colour.
struct FrameFinish: Sendable {
    /// The size to be met; nil keeps that of the file.
    var target: TargetSize?
    /// As EXIF tells it, 1…8.
    var orientation = 1
    /// An ICC profile of the colours; nil is sRGB.
    var profile: Data?
    /// Whether the file has only grey, for which alone a profile of grey can tell what it is.
    var isGrey = false
    /// What brings the colours to sRGB if no profile tells.
    var converter: SRGBConverter?

    /// Whether it leaves every frame as it is.
    var isIdentity: Bool { target == nil && orientation == 1 && profile == nil && converter == nil }

    /// The size of the result if `source` is the size as stored.
    func size(of source: PixelSize) -> PixelSize {
        let shown = orientation > 4 ? source.transposed : source
        return target.map { ResizePlan($0, source: shown).result } ?? shown
    }

    /// How many times larger `source`, as stored, is than what it becomes.
    func factor(of source: PixelSize) -> Double {
        guard let target else { return 1 }
        return ResizePlan(target, source: orientation > 4 ? source.transposed : source).factor
    }

    /// `frame`, as stored, as it is shown.
    func frame(_ frame: PixelBuffer, format: RasterFormat) throws(ImagingError) -> PixelBuffer {
        if isIdentity { return frame }
        do {
            return try frame.withUnsafeBytes {
                try self.frame($0, size: frame.size, format: format)
            }
        } catch {
            throw error as? ImagingError ?? .corrupt(format: format, reason: "\(error)")
        }
    }

    /// The pixels, straight RGBA of `size` as stored, as they are shown.
    ///
    /// With `whole` the pixels are a smaller version of a picture of that size.
    func frame(
        _ pixels: UnsafeRawBufferPointer, size: PixelSize, whole: PixelSize? = nil,
        format: RasterFormat
    ) throws(ImagingError) -> PixelBuffer {
        do {
            let result = self.size(of: whole ?? size)
            guard result != size || orientation > 1 || profile != nil || target != nil else {
                return try PixelBuffer(size: size) { memory in
                    memory.copyMemory(from: pixels)
                    converter?.convert(memory.bindMemory(to: UInt32.self))
                }
            }
            return try PixelBuffer(size: result) { memory in
                try VipsPipeline.withPixels(
                    pixels, size: size, isOpaque: PixelBuffer.isOpaque(pixels)
                ) { (image) throws(VipsFailure) in
                    var image = image
                    if let profile {
                        image = try (isGrey ? image.asGrey() : image).tagged(profile)
                    }
                    try image.shown(
                        target: target, orientation: orientation, whole: whole ?? size
                    ).renderRGBA(into: memory, converter: converter, profileCounts: true)
                }
            }
        } catch let error as ImagingError {
            throw error
        } catch let error as VipsFailure {
            throw .corrupt(format: format, reason: error.message)
        } catch {
            throw .corrupt(format: format, reason: "\(error)")
        }
    }
}
