/// The chunks of an animated WebP (RFC 9649, 2.7).
extension AnimationOutline {
    /// Reads the chunks; nil if this is no animation.
    ///
    /// A frame's payload is its bitstream, with the alpha chunk before it.
    ///
    /// - Throws: ``ImagingError/corrupt(format:reason:)`` where the animation breaks its rules.
    init?(webp bytes: UnsafeRawBufferPointer, storing limit: Int) throws(ImagingError) {
        self.init(storing: limit)
        guard bytes.begins("VP8X", at: 12), bytes.count >= 30, bytes[20] & 2 != 0 else {
            return nil
        }
        canvas = PixelSize(
            width: 1 + (bytes.littleEndian24(at: 24) ?? 0),
            height: 1 + (bytes.littleEndian24(at: 27) ?? 0))
        loopCount = nil
        let end = min(bytes.count, (bytes.littleEndian32(at: 4) ?? 0) + 8)
        var chunks = RIFFChunks(bytes, from: 30, to: end)
        while let chunk = chunks.next() {
            switch chunk.kind {
            case "ANIM":
                let plays = chunk.body.count >= 6 ? bytes.littleEndian16(at: chunk.start + 4) : nil
                loopCount = plays == 0 ? nil : plays
            case "ANMF": add(try frame(chunk.body, bytes))
            default: break
            }
        }
        guard frameCount > 0 else { throw .corrupt(format: .webp, reason: "it has no frames") }
    }

    private func frame(
        _ body: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) -> Frame {
        let start = body.lowerBound
        guard body.count >= 24, let x = bytes.littleEndian24(at: start),
            let y = bytes.littleEndian24(at: start + 3),
            let width = bytes.littleEndian24(at: start + 6),
            let height = bytes.littleEndian24(at: start + 9),
            let delay = bytes.littleEndian24(at: start + 12)
        else { throw .corrupt(format: .webp, reason: "a frame is too short") }
        var frame = Frame(x: 2 * x, y: 2 * y, width: width + 1, height: height + 1)
        guard frame.x + frame.width <= canvas.width, frame.y + frame.height <= canvas.height else {
            throw .corrupt(format: .webp, reason: "a frame lies outside the picture")
        }
        frame.delay = .milliseconds(delay)
        frame.disposal = bytes[start + 15] & 1 == 1 ? .clear : .keep
        frame.blends = bytes[start + 15] & 2 == 0
        frame.payload = start + 16..<body.upperBound
        frame.isOpaque = Self.isOpaque(frame.payload, bytes)
        return frame
    }

    /// Lossy frames have their alpha in a chunk of its own, lossless ones tell by a bit.
    private static func isOpaque(_ payload: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = payload.lowerBound
        if bytes.begins("VP8 ", at: start) { return true }
        guard bytes.begins("VP8L", at: start), payload.count >= 13 else { return false }
        return bytes[start + 12] & 0x10 == 0
    }
}
