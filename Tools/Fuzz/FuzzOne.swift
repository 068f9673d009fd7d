import FoundationEssentials
import VitrineImaging

/// Gives one input to one decoder: it decodes or throws, and what comes out has the size asked for.
func fuzz(
    _ decoder: some ImageDecoder, _ format: RasterFormat, _ start: UnsafePointer<UInt8>?,
    _ count: Int
) -> CInt {
    guard let start, count > 0 else { return 0 }
    // A copy of its own, so that one byte too many is seen.
    let data = Data(bytes: start, count: count)
    let limits = DecodeLimits(maximumDimension: 4_096, maximumSourcePixels: 8_192)
    // Resizing is the work of libvips; seldom is often enough.
    let target: TargetSize? = start[count - 1] == 0xA5 ? .fill(width: 9, height: 7) : nil
    do throws(ImagingError) {
        let info = try decoder.probe(data, format: format, limits: limits)
        let options = DecodeOptions(targetSize: target, limits: limits)
        let image = try decoder.decode(data, format: format, options: options)
        let wanted = target == nil ? info.pixelSize : PixelSize(width: 9, height: 7)
        if image.pixelSize != wanted || image.info != info { fatalError("\(image.pixelSize)") }
    } catch {
        if !error.description.hasSuffix(".") { fatalError(error.description) }
    }
    return 0
}
