import FoundationEssentials
import VitrineImaging

/// The scanner alone: drawing is the work of librsvg, and slow.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSVG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    let data = Data(bytes: start, count: count)
    do throws(ImagingError) {
        let limits = DecodeLimits(allowsSVG: true)
        _ = try SVGDecoder().probe(data, format: .svg, limits: limits)
    } catch {
        if !error.description.hasSuffix(".") { fatalError(error.description) }
    }
    return 0
}
