/// The segments of a JPEG one after the other (ITU-T T.81, B.1.1), as far as they are whole, up to the
/// compressed data of the first scan.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        let marker: UInt8
        /// What stands behind the length; empty with a marker that stands alone.
        let body: ByteReader
    }

    private let bytes: ByteReader
    private var isAtEnd = false
    /// Behind the last segment.
    private(set) var offset = 2

    /// Those behind the SOI marker, which is taken for granted.
    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    mutating func next() -> Segment? {
        guard !isAtEnd, bytes.byte(at: offset) == 0xFF else { return nil }
        var code = offset + 1
        while bytes.byte(at: code) == 0xFF { code += 1 }  // fill bytes
        guard let marker = bytes.byte(at: code) else { return nil }
        switch marker {
        case 0x01, 0xD0...0xD9:
            isAtEnd = marker == 0xD9
            offset = code + 1
            return Segment(marker: marker, body: bytes.rest(from: bytes.count))
        default:
            guard let length = bytes.big16(at: code + 1), length >= 2,
                let body = bytes.part(at: code + 3, count: length - 2)
            else { return nil }
            isAtEnd = marker == 0xDA
            offset = code + 1 + length
            return Segment(marker: marker, body: body)
        }
    }
}
