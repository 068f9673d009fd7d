import FoundationEssentials

/// The decoders of this build, in the order in which they are asked.
struct DecoderRegistry: Sendable {
    var decoders: [any ImageDecoder]

    static let standard = DecoderRegistry(
        decoders: [
            BMPDecoder(), ICODecoder(), XBMDecoder(), AnimationDecoder(), JPEGDecoder(),
            AVIFDecoder(),
            // These start libvips when they are asked for their formats.
            SVGDecoder(), VipsDecoder(),
        ])

    /// The first decoder for what `data` begins with, and what that is.
    func decoder(
        for data: Data
    ) throws(ImagingError) -> (decoder: any ImageDecoder, format: RasterFormat) {
        switch data.withUnsafeBytes({ FileSignature(of: $0) }) {
        case .other(let found): throw .notAnImage(found: found)
        case .unsupported(let name): throw .unsupportedFormat(name)
        case .raster(let format):
            for decoder in decoders where decoder.formats.contains(format) {
                return (decoder, format)
            }
            throw .codecMissing(format: format)
        }
    }
}
