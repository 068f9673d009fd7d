/// Pixels of a bitmap as runs (RLE4, RLE8 and OS/2's RLE24), from the lowest row up.
///
/// What runs skip stays transparent; what would lie outside the picture is dropped.
struct BMPRuns {
    let compression: BMPHeader.Compression
    let palette: BMPPalette

    /// Draws the runs of `bytes` on `canvas`.
    ///
    /// - Returns: whether the end was there: a mark, or the last pixel.
    func draw(
        _ bytes: ByteReader, on canvas: PixelCanvas, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> Bool {
        var offset = 0
        var x = 0
        var row = 0  // from below
        while row < canvas.height {
            guard let count = bytes.byte(at: offset), let code = bytes.byte(at: offset + 1) else {
                return row == canvas.height - 1 && x >= canvas.width
            }
            let y = canvas.height - 1 - row
            if count > 0 {
                let length = Int(count)
                guard bytes.has(pixelBytes, at: offset + 1) else { return false }
                if x < canvas.width {
                    for index in 0..<length {
                        canvas.set(x + index, y, color(bytes, offset + 1, index % period))
                    }
                }
                x = min(canvas.width, x + length)
                offset += 1 + pixelBytes
                continue
            }
            offset += 2
            switch code {
            case 0:
                try cancellation.check()
                x = 0
                row += 1
            case 1: return true
            case 2:
                guard let right = bytes.byte(at: offset), let up = bytes.byte(at: offset + 1)
                else { return false }
                x = min(canvas.width, x + Int(right))
                row += Int(up)
                offset += 2
            default:
                let length = Int(code)
                let size = bytesOf(length)
                guard bytes.has(size, at: offset) else { return false }
                if x < canvas.width {
                    for index in 0..<length {
                        canvas.set(x + index, y, color(bytes, offset, index))
                    }
                }
                x = min(canvas.width, x + length)
                offset += size + size % 2
            }
        }
        return true
    }

    /// Bytes of what a run repeats.
    private var pixelBytes: Int { compression == .runs24 ? 3 : 1 }

    /// Pixels in these bytes.
    private var period: Int { compression == .runs4 ? 2 : 1 }

    /// Bytes of so many pixels that are no run.
    private func bytesOf(_ pixels: Int) -> Int {
        switch compression {
        case .runs4: (pixels + 1) / 2
        case .runs24: pixels * 3
        default: pixels
        }
    }

    /// The pixel `index` of those that begin at `start`.
    private func color(_ bytes: ByteReader, _ start: Int, _ index: Int) -> PackedPixel {
        switch compression {
        case .runs4:
            let pair = bytes[start + index / 2]
            return palette[index % 2 == 0 ? pair >> 4 : pair & 15]
        case .runs24:
            let offset = start + index * 3
            return PackedPixel(
                red: bytes[offset + 2], green: bytes[offset + 1], blue: bytes[offset])
        default: return palette[bytes[start + index]]
        }
    }
}
