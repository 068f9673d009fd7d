/// The colours that a pixel of up to 8 bits can have.
struct BMPPalette {
    private let colors: [PackedPixel]

    /// The palette of `header`, which begins at `start`; what lies beyond `end` or the file's end is
    /// not there, and shows as black, as browsers do it.
    init(_ header: BMPHeader, in bytes: ByteReader, start: Int, end: Int) {
        var colors: [PackedPixel] = []
        // No pixel can ask for more.
        let wanted = 1 << min(8, header.bitsPerPixel)
        for index in 0..<min(wanted, header.paletteCount) {
            let offset = start + index * header.paletteEntrySize
            guard offset + header.paletteEntrySize <= end, bytes.has(3, at: offset) else { break }
            colors.append(
                PackedPixel(
                    red: bytes[offset + 2], green: bytes[offset + 1], blue: bytes[offset]))
        }
        colors += Array(repeating: .black, count: 256 - colors.count)
        self.colors = colors
    }

    @inline(__always)
    subscript(index: UInt8) -> PackedPixel {
        colors[Int(index)]  // there are 256
    }
}
