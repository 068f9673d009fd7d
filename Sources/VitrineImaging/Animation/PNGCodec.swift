import FoundationEssentials

/// Frames of APNG: each becomes a PNG file of its own, with what the whole file says of its colours.
struct PNGCodec: FrameCodec, FrameDrawer {
    /// Of the chunks before the picture those that say what its samples mean.
    private static let shared: Set<String> = [
        "PLTE", "tRNS", "iCCP", "cICP", "sRGB", "gAMA", "cHRM",
    ]

    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) {
        let file = try Self.file(frame, bytes)
        let pixels = try VipsDecoder.borrow(file) { (bytes) throws(ImagingError) in
            let limits = DecodeLimits(
                maximumBytes: .max, maximumDimension: .max, maximumSourcePixels: .max,
                maximumResultPixels: .max)
            let loader = try VipsLoader(bytes, format: .png, limits: limits)
            return try loader.frame(
                options: DecodeOptions(limits: limits), cancellation: cancellation)
        }
        guard pixels.size == PixelSize(width: frame.width, height: frame.height) else {
            throw .corrupt(format: .png, reason: "a frame has the wrong size")
        }
        pixels.withUnsafeBytes { canvas.draw($0, frame) }
    }

    private static func file(
        _ frame: AnimationOutline.Frame, _ bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var head = PNGChunks(bytes)
        while let chunk = head.next(), chunk.kind != "IDAT" {
            if chunk.kind == "IHDR", chunk.length == 13 {
                let size = bigEndian(frame.width) + bigEndian(frame.height)
                append("IHDR", size + bytes[chunk.body + 8..<chunk.body + 13], to: &file)
            } else if shared.contains(chunk.kind) {
                file += bytes[chunk.start..<chunk.end]
            }
        }
        var body = PNGChunks(bytes, from: frame.payload.lowerBound)
        while body.offset < frame.payload.upperBound, let chunk = body.next() {
            if chunk.kind == "IDAT" {
                file += bytes[chunk.start..<chunk.end]
            } else if chunk.kind == "fdAT", chunk.length >= 4 {
                guard chunk.isIntact(in: bytes) else {
                    throw .corrupt(format: .png, reason: "a checksum is wrong")
                }
                append("IDAT", bytes[chunk.body + 4..<chunk.body + chunk.length], to: &file)
            }
        }
        append("IEND", [], to: &file)
        return file
    }

    private static func append(_ kind: String, _ body: some Collection<UInt8>, to file: inout Data)
    {
        let content = Array(kind.utf8) + body
        file += bigEndian(body.count) + content
        file += bigEndian(Int(content.withUnsafeBytes { CRC32.of($0) }))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
    }
}
