/// The chunks of an animated PNG (PNG 3rd edition, 11.3.6).
extension AnimationOutline {
    /// Reads the chunks up to IEND; nil if this is no animation.
    ///
    /// With `acceptsPart` the file may end early, and then has the frames that are whole.
    ///
    /// A frame's payload begins behind its fcTL chunk and ends before the next one.
    ///
    /// - Throws: ``ImagingError/corrupt(format:reason:)`` where the animation breaks its rules.
    init?(
        png bytes: UnsafeRawBufferPointer, storing limit: Int, acceptsPart: Bool = false
    ) throws(ImagingError) {
        self.init(storing: limit)
        var announced: Int?
        var sequence = 0
        var current: Frame?
        var hasData = false
        var isWhole = false
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next() {
            switch chunk.kind {
            case "IHDR":
                canvas = PixelSize(
                    width: bytes.bigEndian32(at: chunk.body) ?? 0,
                    height: bytes.bigEndian32(at: chunk.body + 4) ?? 0)
            case "acTL" where announced == nil:
                guard chunk.length == 8, let count = bytes.bigEndian32(at: chunk.body),
                    let plays = bytes.bigEndian32(at: chunk.body + 4), count > 0
                else { throw Self.broken("its acTL chunk is invalid") }
                announced = count
                loopCount = plays == 0 ? nil : plays
            case "IDAT":
                // Animation chunks that come later mean nothing.
                if announced == nil { return nil }
                hasData = hasData || current != nil
            case "fcTL" where announced != nil:
                try Self.check(chunk, &sequence, bytes)
                if var frame = current {
                    guard hasData else { throw Self.broken("a frame has no data") }
                    frame.payload = frame.payload.lowerBound..<chunk.start
                    add(frame)
                }
                let frame = try Self.frame(chunk, bytes)
                try check(frame)
                current = frame
                hasData = false
            case "fdAT" where announced != nil:
                try Self.check(chunk, &sequence, bytes)
                guard current != nil else { throw Self.broken("a frame has no fcTL chunk") }
                hasData = true
            default: break
            }
            if chunk.kind == "IEND" {
                isWhole = true
                break
            }
        }
        guard let announced else { return nil }
        if acceptsPart, !isWhole { return }
        if var frame = current, hasData {
            frame.payload = frame.payload.lowerBound..<chunks.offset
            add(frame)
        }
        guard frameCount == announced else {
            throw Self.broken("it has \(frameCount) of \(announced) frames")
        }
    }

    private static func broken(_ reason: String) -> ImagingError {
        .corrupt(format: .png, reason: reason)
    }

    /// Place in the sequence, and checksum.
    private static func check(
        _ chunk: PNGChunks.Chunk, _ sequence: inout Int, _ bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) {
        // The checksums of frames are left to who decodes them: here they would cost too much.
        guard chunk.kind == "fdAT" || chunk.isIntact(in: bytes) else {
            throw broken("a checksum is wrong")
        }
        guard chunk.length >= 4, bytes.bigEndian32(at: chunk.body) == sequence else {
            throw broken("its frames are out of order")
        }
        sequence += 1
    }

    private static func frame(
        _ chunk: PNGChunks.Chunk, _ bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) -> Frame {
        guard chunk.length == 26, let width = bytes.bigEndian32(at: chunk.body + 4),
            let height = bytes.bigEndian32(at: chunk.body + 8),
            let x = bytes.bigEndian32(at: chunk.body + 12),
            let y = bytes.bigEndian32(at: chunk.body + 16),
            let numerator = bytes.bigEndian16(at: chunk.body + 20),
            let denominator = bytes.bigEndian16(at: chunk.body + 22)
        else { throw broken("an fcTL chunk is invalid") }
        var frame = Frame(x: x, y: y, width: width, height: height)
        let parts = denominator == 0 ? 100 : denominator
        frame.delay = .nanoseconds(numerator * 1_000_000_000 / parts)
        switch bytes[chunk.body + 24] {
        case 0: frame.disposal = .keep
        case 1: frame.disposal = .clear
        case 2: frame.disposal = .restore
        default: throw broken("a frame has an unknown disposal")
        }
        switch bytes[chunk.body + 25] {
        case 0: frame.blends = false
        case 1: frame.blends = true
        default: throw broken("a frame has an unknown blending")
        }
        // Whether pixels are opaque cannot be seen from here; one that replaces all need not be.
        frame.payload = chunk.end..<chunk.end
        return frame
    }

    private func check(_ frame: Frame) throws(ImagingError) {
        guard frame.width > 0, frame.height > 0, frame.x + frame.width <= canvas.width,
            frame.y + frame.height <= canvas.height
        else { throw Self.broken("a frame lies outside the picture") }
    }
}
