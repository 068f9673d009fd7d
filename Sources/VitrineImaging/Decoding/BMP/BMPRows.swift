import Glibc

/// Uncompressed pixels of a bitmap, row by row.
struct BMPRows {
    let header: BMPHeader
    let palette: BMPPalette
    /// What an icon's pixel of 32 bits means differs from a file's.
    var fields: BMPFields

    /// Writes the rows of `bytes`, as far as they are whole, to `canvas`. Returns which these are.
    func draw(
        _ bytes: ByteReader, on canvas: PixelCanvas, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> Range<Int> {
        let stride = header.rowBytes
        let colors = allColors
        for row in 0..<canvas.height {
            try cancellation.check()
            guard let source = bytes.part(at: row * stride, count: stride) else {
                let missing = canvas.height - row
                return header.isTopDown ? 0..<row : missing..<canvas.height
            }
            let y = header.isTopDown ? row : canvas.height - 1 - row
            switch header.bitsPerPixel {
            case 1, 2, 4: drawNarrow(source, y, canvas)
            case 8: canvas.setRow(y) { palette[source[$0]] }
            case 16:
                canvas.setRow(y) { x in
                    let pixel = UInt32(source[x &* 2]) | UInt32(source[x &* 2 &+ 1]) << 8
                    return colors.isEmpty ? fields.color(of: pixel) : colors[Int(pixel)]
                }
            case 24:
                canvas.setRow(y) { x in
                    let red = source[x &* 3 &+ 2]
                    return PackedPixel(
                        red: red, green: source[x &* 3 &+ 1], blue: source[x &* 3])
                }
            case 32: canvas.setRow(y) { fields.color(of: source.word(at: $0 &* 4)) }
            default: drawLinear(source, y, canvas)
            }
        }
        return 0..<canvas.height
    }

    /// Pixels that share a byte, the first one in its highest bits.
    private func drawNarrow(_ source: ByteReader, _ y: Int, _ canvas: PixelCanvas) {
        let bits = header.bitsPerPixel
        let inByte = 8 / bits - 1
        let mask = UInt8(truncatingIfNeeded: 1 << bits - 1)
        let power = inByte.nonzeroBitCount
        canvas.setRow(y) { x in
            let shift = (inByte &- x & inByte) &* bits
            return palette[source[x &>> power] &>> UInt8(truncatingIfNeeded: shift) & mask]
        }
    }

    /// All pixels of 16 bits, where the picture is large enough that a table pays.
    private var allColors: [PackedPixel] {
        guard header.bitsPerPixel == 16, header.size.pixelCount ?? 0 > 65_536 else { return [] }
        return (0...65_535).map { fields.color(of: $0) }
    }

    /// Four numbers of 16 bits, signed, of which 8,192 is 1, in linear light: GDI+ writes them.
    private func drawLinear(_ source: ByteReader, _ y: Int, _ canvas: PixelCanvas) {
        func number(_ offset: Int) -> Int {
            let bits = UInt16(source[offset]) | UInt16(source[offset + 1]) << 8
            return min(8192, max(0, Int(Int16(bitPattern: bits))))
        }
        for x in 0..<canvas.width {
            let alpha = UInt8(clamping: (number(x * 8 + 6) * 255 + 4096) / 8192)
            canvas.set(
                x, y,
                PackedPixel(
                    red: Self.curve[number(x * 8 + 4)], green: Self.curve[number(x * 8 + 2)],
                    blue: Self.curve[number(x * 8)], alpha: alpha))
        }
    }

    /// Linear light, 0…8192, as sRGB (IEC 61966-2-1).
    private static let curve: [UInt8] = (0...8192).map { step in
        let light = Double(step) / 8192
        let value = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(clamping: Int((value * 255).rounded()))
    }
}
