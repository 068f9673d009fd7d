import FoundationEssentials
import VitrineImaging

/// The decoder in Swift alone: what it leaves to libvips is not asked of that.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJPEG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    // A copy of its own, so that one byte too many is seen.
    let data = Data(bytes: start, count: count)
    // Profiles are the work of libvips.
    guard data.firstRange(of: Data("ICC_PROFILE".utf8)) == nil else { return 0 }
    let targets = [TargetSize.maximum(4), .fill(width: 1, height: 2), .fit(width: 30, height: 9)]
    let options = DecodeOptions(
        targetSize: targets[Int(start[count / 2]) % targets.count],
        limits: DecodeLimits(maximumDimension: 4_096, maximumSourcePixels: 65_536))
    do throws(ImagingError) {
        guard let image = try reduceJPEG(data, options: options) else { return 0 }
        let size = image.info.pixelSize
        guard size.width >= 4 * image.pixelSize.width, size.height >= 4 * image.pixelSize.height,
            image.isOpaque
        else { fatalError("\(size) became \(image.pixelSize)") }
    } catch {
        if !error.description.hasSuffix(".") { fatalError(error.description) }
    }
    return 0
}
