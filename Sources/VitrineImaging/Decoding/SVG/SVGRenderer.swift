import CVips
import FoundationEssentials

/// Draws an SVG by means of librsvg, strip by strip.
///
/// librsvg cannot be stopped, so a strip has no more rows than it can draw in about a second if all
/// that it contains lies in it. The time is looked at between strips.
struct SVGRenderer {
    /// Beyond this, coordinates overflow inside cairo.
    private static let mostExtent = 4_000_000
    /// The longest side of a surface of cairo.
    private static let mostSide = 32_767

    /// The pixels of a strip, if it is more than a row.
    private static let stripPixels = 262_144

    private let document: SVGDocument
    private let limits: DecodeLimits
    /// The size of the whole drawing, of which the result is the middle.
    private let whole: PixelSize
    private let result: PixelSize

    /// Finds out how large the drawing will be, and what it costs.
    init(_ document: SVGDocument, _ options: DecodeOptions) throws(ImagingError) {
        self.document = document
        limits = options.limits
        let source = document.size.pixelSize
        result = options.resultSize(of: source, isVector: true)
        try limits.check(result: result)
        let longest = max(result.width, result.height)
        guard longest <= Self.mostSide else {
            throw .tooLarge(what: .dimension, found: longest, limit: Self.mostSide)
        }
        if case .fill = options.targetSize {
            let factor = max(
                Double(result.width) / Double(source.width),
                Double(result.height) / Double(source.height))
            whole = PixelSize(
                width: max(result.width, Self.whole(Double(source.width) * factor)),
                height: max(result.height, Self.whole(Double(source.height) * factor)))
        } else {
            whole = result
        }
        let extent = max(whole.width, whole.height)
        guard extent <= Self.mostExtent else {
            throw .tooLarge(what: .dimension, found: extent, limit: Self.mostExtent)
        }
    }

    private static func whole(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? Int.max }

    /// How many rows can be drawn at once, by what was measured with librsvg 2.54 and cairo 1.16 on a
    /// core of 2.5 GHz, rounded up.
    ///
    /// - Throws: ``SVGRefusal/tooComplex`` if one row, or what each strip costs whatever its height, may
    ///   take more than a second.
    private func rows() throws(ImagingError) -> Int {
        let graph = document.graph
        let cost = try graph.total()
        // Painting, blending and masking a pixel; a gradient is dearer.
        let pixel = graph.hasGradients ? 25e-9 : 8e-9
        // Walking along the edges that meet a row, and sorting them.
        let row =
            cost.shapes * Double(result.width) * pixel + cost.edges * 1.5e-6
            + cost.squares * 1.5e-9
        // How far an outline may go, in pixels; cairo knows no more than 2²³ of them.
        let side = Double(max(whole.width, whole.height))
        let unit = min(document.size.width, document.size.height)
        let box = document.size.viewBox.map { min($0[2], $0[3]) } ?? unit
        let reach = min(
            8_388_608, max(side, graph.reach * side / box) * graph.enlargement)
        // The extent of each outline is found by crossing all of its edges with each other, which takes
        // longer the more places there are where they can cross.
        let crossings = cost.squares * min(5e-6, 0.5e-6 + 0.5e-9 * reach)
        let elements = Double(graph.elementCount)
        let strip =
            (cost.shapes + elements) * 8e-6 + cost.edges * (0.3e-6 + 15e-9 * reach.squareRoot())
            + cost.characters * 60e-6 + cost.stops * 10e-6 + crossings
            + elements * Double(graph.selectorCount) * 0.5e-6
        guard row <= 1, strip <= 1.5 else { throw .svgRefused(.tooComplex) }
        // Groups that lie in each other take a surface each, at most 128 MB together.
        return max(1, min(Int(1 / max(row, 1e-6)), Self.stripPixels / result.width))
    }

    /// Draws it.
    func frame(_ cancellation: DecodeCancellation) throws(ImagingError) -> PixelBuffer {
        let rows = try rows()
        try VipsRuntime.startSVG()
        let clock = ContinuousClock()
        let start = clock.now
        do {
            return try PixelBuffer(size: result) { memory in
                var top = 0
                while top < result.height {
                    try cancellation.check()
                    if top > 0, clock.now - start > limits.maximumRenderTime {
                        throw ImagingError.svgRefused(.takesTooLong)
                    }
                    let count = min(rows, result.height - top)
                    let bytes = result.width * 4
                    let strip = UnsafeMutableRawBufferPointer(
                        rebasing: memory[top * bytes..<(top + count) * bytes])
                    try draw(top: top, rows: count, into: strip)
                    top += count
                }
            }
        } catch let error as ImagingError {
            throw error
        } catch let error as VipsFailure {
            throw .corrupt(format: .svg, reason: error.message)
        } catch {
            throw .corrupt(format: .svg, reason: "\(error)")
        }
    }

    private func draw(
        top: Int, rows: Int, into memory: UnsafeMutableRawBufferPointer
    ) throws {
        var text = strip(top: top, rows: rows)
        try text.withUTF8 { bytes in
            let pixels = try VipsPipeline.make(
                "svgload_buffer",
                [
                    ("buffer", .bytes(UnsafeRawBufferPointer(bytes))), ("dpi", .double(96)),
                    ("scale", .double(72.0 / 96)),
                ])
            guard pixels.size == PixelSize(width: result.width, height: rows), pixels.bands == 4,
                pixels.format == VIPS_FORMAT_UCHAR
            else { throw ImagingError.corrupt(format: .svg, reason: "its size is unclear") }
            try pixels.render(into: memory)
        }
    }

    /// A document whose picture is this strip of the result.
    private func strip(top: Int, rows: Int) -> String {
        let left = (whole.width - result.width) / 2
        let above = (whole.height - result.height) / 2 + top
        let box =
            document.size.viewBox
            ?? [0, 0, document.size.width, document.size.height]
        // What style sheets say of every svg element must not count twice.
        let plain =
            "opacity:1!important;clip-path:none!important;mask:none!important;"
            + "transform:none!important;mix-blend-mode:normal!important"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
            width="\(result.width)" height="\(rows)" \
            viewBox="\(left) \(above) \(result.width) \(rows)" style="\(plain)">\
            <svg width="\(whole.width)" height="\(whole.height)" \
            viewBox="\(box.map(\.description).joined(separator: " "))"\
            \(document.rootAttributes)>\(document.body)</svg></svg>
            """
    }
}
