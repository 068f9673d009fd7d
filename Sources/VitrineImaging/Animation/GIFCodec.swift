/// Frames of GIF (GIF89a, 20 to 22).
struct GIFCodec: FrameCodec, FrameDrawer {
    let limits: DecodeLimits
    /// Whether a frame with too little data is drawn as far as they go, and is no error.
    var acceptsPart = false

    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) {
        guard frame.width > 0, frame.height > 0 else { return }
        let start = frame.payload.lowerBound
        let flags = bytes[start + 9]
        let hasOwnTable = flags & 0x80 != 0
        let colors =
            hasOwnTable
            ? GIFTable.colors(bytes, at: start + 10, flags: flags)
            : GIFTable.colors(bytes, at: 13, flags: bytes[10])
        let data = start + 10 + GIFTable.byteCount(flags: flags)
        let indices = try indices(frame, bytes, from: data, cancellation)
        let order = flags & 0x40 == 0 ? nil : Self.interlaced(frame.height)
        colors.withUnsafeBufferPointer { colors in
            indices.withUnsafeBufferPointer { indices in
                canvas.forEachRow(of: frame) { row, index in
                    let start = (order.map { $0[index] } ?? index) * frame.width
                    guard start + frame.width <= indices.count else { return }
                    if let transparent = frame.transparentIndex {
                        for column in row.indices where indices[start + column] != transparent {
                            row[column] = colors[Int(indices[start + column])]
                        }
                    } else {
                        for column in row.indices {
                            row[column] = colors[Int(indices[start + column])]
                        }
                    }
                }
            }
        }
    }

    /// The index in the palette of each pixel, or of the first ones of a part. `data` is where the size
    /// of the first code stands.
    private func indices(
        _ frame: AnimationOutline.Frame, _ bytes: UnsafeRawBufferPointer, from data: Int,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> [UInt8] {
        let count = frame.width * frame.height
        try limits.check(sourcePixels: count)
        let codeSize = Int(bytes[data])
        var codes: [UInt8] = []
        codes.reserveCapacity(frame.payload.upperBound - data)
        var offset = data + 1
        while offset < frame.payload.upperBound, bytes[offset] > 0 {
            let end = min(offset + 1 + Int(bytes[offset]), frame.payload.upperBound)
            codes += bytes[offset + 1..<end]
            offset = end
        }
        // Checked before memory is taken: a few bytes cannot fill a large frame.
        let bound = LZWDecoder.bound(byteCount: codes.count, minimumCodeSize: codeSize)
        guard bound >= count || acceptsPart && bound >= frame.width else {
            throw .corrupt(format: .gif, reason: "a frame has too little data")
        }
        var written = 0
        let indices = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            written = codes.withUnsafeBytes { codes in
                LZWDecoder.decode(
                    codes, minimumCodeSize: codeSize,
                    into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]), cancellation)
            }
            initialized = written
        }
        try cancellation.check()
        guard written == count || acceptsPart && written >= frame.width else {
            throw .corrupt(format: .gif, reason: "the data of a frame are incomplete or invalid")
        }
        return indices
    }

    /// For each row where it stands among the rows stored (GIF89a, appendix E).
    private static func interlaced(_ height: Int) -> [Int] {
        var order = [Int](repeating: 0, count: height)
        var stored = 0
        for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
            for row in stride(from: first, to: height, by: step) {
                order[row] = stored
                stored += 1
            }
        }
        return order
    }
}
