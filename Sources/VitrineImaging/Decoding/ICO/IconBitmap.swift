/// A picture of an icon that is stored as a bitmap: its pixels, then a mask of one bit each.
struct IconBitmap {
    private let bytes: ByteReader
    private let header: BMPHeader
    private let size: PixelSize

    init(_ bytes: ByteReader) throws(ImagingError) {
        self.bytes = bytes
        header = try BMPHeader(bytes)
        size = PixelSize(width: header.size.width, height: max(1, header.size.height / 2))
        guard header.compression == .none, header.bitsPerPixel <= 32 else {
            throw BMPHeader.corrupt("the bitmap in it is compressed")
        }
    }

    func drawn(_ cancellation: DecodeCancellation) throws(ImagingError) -> PixelBuffer {
        let start =
            header.paletteOffset + header.paletteCount * header.paletteEntrySize
        let palette = BMPPalette(header, in: bytes, start: header.paletteOffset, end: bytes.count)
        let rest = bytes.rest(from: start)
        let (length, overflow) = header.rowBytes.multipliedReportingOverflow(by: size.height)
        guard !overflow, rest.has(length, at: 0) else { throw .truncated(format: .ico) }
        let fields =
            header.bitsPerPixel == 32 && !header.fields.hasAlpha
            ? BMPFields.eightBitsWithAlpha : header.fields
        let rows = BMPRows(header: header, palette: palette, fields: fields)
        let mask = rest.rest(from: length)
        return try PixelBuffer.drawn(size, of: .ico) { (canvas) throws(ImagingError) in
            let drawn = try rows.draw(rest, on: canvas, cancellation)
            // A mask beside an alpha channel says nothing new.
            if fields.hasAlpha, !canvas.isClear { return }
            canvas.makeOpaqueIfClear(in: drawn)
            try apply(mask, to: canvas)
        }
    }

    /// Makes transparent what has a bit in the mask, with 32 bits a pixel only if there is one.
    private func apply(_ mask: ByteReader, to canvas: PixelCanvas) throws(ImagingError) {
        let stride = (size.width + 31) / 32 * 4
        guard mask.has(stride * size.height, at: 0) else {
            guard header.bitsPerPixel == 32, mask.count == 0 else { throw .truncated(format: .ico) }
            return
        }
        for row in 0..<size.height {
            let y = header.isTopDown ? row : size.height - 1 - row
            for x in 0..<size.width where mask[row * stride + x / 8] << UInt8(x % 8) & 0x80 != 0 {
                canvas.set(x, y, .clear)
            }
        }
    }
}
