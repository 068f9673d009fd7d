public import FoundationEssentials

/// Decodes SVG, where ``DecodeLimits/allowsSVG`` says so: shapes, paths, text, gradients, clips, masks,
/// markers, symbols, style sheets. It is drawn by librsvg at the size that is wanted.
///
/// A drawing can ask for any amount of work in very few bytes, and librsvg cannot be stopped. So the
/// file is read by a scanner in Swift first, which keeps what is known to be cheap, writes it anew for
/// librsvg, and bounds what the rest can cost; it is then drawn in strips that take a second at most,
/// with ``DecodeLimits/maximumRenderTime`` in mind. See ``SVGRefusal`` for what is refused. Scripts,
/// animation, metadata and what librsvg does not know are left out.
public struct SVGDecoder: ImageDecoder {
    /// A decoder; it has no state.
    public init() {}

    /// SVG, if the libvips at hand was built with it; starts libvips.
    public var formats: Set<RasterFormat> {
        let isRunning = (try? VipsRuntime.start()) != nil
        return isRunning && VipsRuntime.has("svgload_buffer", of: .svg) ? [.svg] : []
    }

    /// Reads the file as far as its cost and size need it, which is all of it; draws nothing.
    public func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try data.withReader { (bytes) throws(ImagingError) in
            try Self.read(bytes, limits).info
        }
    }

    /// Draws the picture; can be cancelled between strips.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try data.withReader { (bytes) throws(ImagingError) in
            let (document, info) = try Self.read(bytes, options.limits)
            let renderer = try SVGRenderer(document, options)
            return RasterImage(try renderer.frame(cancellation), info: info, scale: options.scale)
        }
    }

    private static func read(
        _ bytes: ByteReader, _ limits: DecodeLimits
    ) throws(ImagingError) -> (document: SVGDocument, info: ImageInfo) {
        guard limits.allowsSVG else { throw .formatNotAllowed(format: .svg) }
        try limits.check(bytes: bytes.count)
        let document = try SVGDocument(bytes)
        // Circles and what is beyond all bounds show here, and not only when it is drawn.
        _ = try document.graph.total()
        var info = ImageInfo(
            format: .svg, pixelSize: document.size.pixelSize, hasAlpha: true,
            byteCount: bytes.count)
        info.colorModel = .rgb
        try limits.check(source: info.pixelSize, frames: 1)
        return (document, info)
    }
}
