/// Whether a JPEG XL is an animation (ISO/IEC 18181-1, annex D), of which libvips would show the last
/// frame.
enum JPEGXLHeader {
    static func isAnimated(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let file = ByteReader(bytes)
        guard let codestream = codestream(in: file), codestream.begins([0xFF, 0x0A]) else {
            return false
        }
        var bits = Bits(codestream.rest(from: 2))
        bits.skipSize()
        // Metadata: not all as usual, and with the fields of which animation is one.
        guard bits.take(1) == 0, bits.take(1) == 1 else { return false }
        _ = bits.take(3)  // orientation
        if bits.take(1) == 1 { bits.skipSize() }
        if bits.take(1) == 1 { bits.skipPreview() }
        return bits.take(1) == 1
    }

    /// The codestream, or its first part, bare or in a box (ISO/IEC 18181-2).
    private static func codestream(in file: ByteReader) -> ByteReader? {
        if file.begins([0xFF, 0x0A]) { return file }
        for box in Boxes(file).prefix(1024) {
            if box.kind == "jxlc" { return file.part(box) }
            if box.kind == "jxlp" { return file.part(box, skipping: 4) }
        }
        return nil
    }

    /// Bits one after the other, the lowest of a byte first; zeros behind the end.
    private struct Bits {
        private let bytes: ByteReader
        private var position = 0

        init(_ bytes: ByteReader) {
            self.bytes = bytes
        }

        mutating func take(_ count: Int) -> Int {
            var value = 0
            for index in 0..<count {
                value |= Int(bytes[position >> 3] >> (position & 7) & 1) << index
                position += 1
            }
            return value
        }

        /// A number whose first two bits tell how many follow.
        private mutating func skipNumber(_ lengths: [Int]) {
            _ = take(lengths[take(2)])
        }

        mutating func skipSize() {
            let isSmall = take(1) == 1
            func side(_ bits: inout Bits) {
                if isSmall { _ = bits.take(5) } else { bits.skipNumber([9, 13, 18, 30]) }
            }
            side(&self)
            // A ratio may stand for the width.
            if take(3) == 0 { side(&self) }
        }

        mutating func skipPreview() {
            let lengths = take(1) == 1 ? [0, 0, 5, 9] : [6, 8, 10, 12]
            skipNumber(lengths)
            if take(3) == 0 { skipNumber(lengths) }
        }
    }
}
