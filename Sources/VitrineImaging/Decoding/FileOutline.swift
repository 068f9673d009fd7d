/// What a walk over the blocks of a file tells, without decoding anything: where it ends, and a few
/// facts that libvips does not report.
///
/// libvips shows a GIF that is cut short as if nothing were missing, so this is what finds it.
struct FileOutline: Equatable {
    enum End: Equatable {
        /// The end is there.
        case present
        /// The file stops before it: a part is missing, whatever a decoder says.
        case missing
        /// There is no mark of the end. That alone is no fault, but explains one.
        case notSeen
        /// This file does not tell.
        case unknown
    }

    var end = End.unknown
    var frameCount: Int?
    var bitsPerSample: Int?

    init(of bytes: UnsafeRawBufferPointer, format: RasterFormat) {
        switch format {
        case .png: walkPNG(bytes)
        case .gif: end = Self.walkGIF(bytes)
        case .webp: walkRIFF(bytes)
        case .jpeg: end = Self.endsWithMarker(bytes) ? .present : .notSeen
        case .heic, .avif: end = Self.walkBoxes(bytes)
        case .jpegXL: end = bytes.begins([0xFF, 0x0A]) ? .unknown : Self.walkBoxes(bytes)
        case .jpeg2000:
            let boxes = bytes.begins([0xFF, 0x4F]) ? End.present : Self.walkBoxes(bytes)
            end = boxes == .missing || Self.endsWithMarker(bytes) ? boxes : .notSeen
        case .tiff: end = TIFFOutline.end(of: bytes)
        case .bmp, .ico, .xbm, .svg: break  // their decoders look for themselves
        }
    }

    /// Chunks until IEND (ISO/IEC 15948, 5.3); an APNG tells its frames before the first IDAT.
    private mutating func walkPNG(_ bytes: UnsafeRawBufferPointer) {
        end = .missing
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next() {
            switch chunk.kind {
            case "IHDR" where chunk.length > 8: bitsPerSample = Int(bytes[chunk.body + 8])
            case "acTL": frameCount = bytes.bigEndian32(at: chunk.body).map { max(1, $0) }
            case "IEND":
                end = .present
                return
            default: break
            }
        }
    }

    /// The size in the RIFF header (RFC 9649, 2.4).
    private mutating func walkRIFF(_ bytes: UnsafeRawBufferPointer) {
        guard let size = bytes.littleEndian32(at: 4) else {
            end = .missing
            return
        }
        end = bytes.count >= size + 8 ? .present : .missing
    }

    /// Blocks until the trailer (GIF89a, 17 to 27). Whatever else follows a whole frame is ignored, as
    /// all viewers do.
    private static func walkGIF(_ bytes: UnsafeRawBufferPointer) -> End {
        guard bytes.count >= 13 else { return .missing }
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        var offset = 13 + table(bytes[10])
        var frames = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x3B: return .present
            case 0x21: offset += 2
            case 0x2C:
                guard bytes.count - offset > 10 else { return .missing }
                offset += 10 + table(bytes[offset + 9]) + 1
                frames += 1
            default: return frames > 0 ? .present : .unknown
            }
            while true {  // sub-blocks, up to an empty one
                guard offset < bytes.count else { return .missing }
                let length = Int(bytes[offset])
                offset += 1 + length
                if length == 0 { break }
            }
        }
        return .missing
    }

    /// Boxes of ISO/IEC 14496-12, 4.2: the last one must end within the file.
    private static func walkBoxes(_ bytes: UnsafeRawBufferPointer) -> End {
        var offset = 0
        while offset < bytes.count {
            guard var size = bytes.bigEndian32(at: offset) else { return .missing }
            if size == 0 { return .unknown }  // up to the end of the file, wherever that is
            if size == 1 {
                guard let high = bytes.bigEndian32(at: offset + 8),
                    let low = bytes.bigEndian32(at: offset + 12)
                else { return .missing }
                guard high == 0 else { return .missing }
                size = low
            }
            guard size >= 8 else { return .unknown }
            guard bytes.count - offset >= size else { return .missing }
            offset += size
        }
        return .present
    }

    /// Whether the last marker is FF D9, which ends both JPEG and JPEG 2000; padding may follow.
    private static func endsWithMarker(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var last = bytes.count
        while last > 0, bytes[last - 1] == 0 { last -= 1 }
        return last >= 2 && bytes[last - 1] == 0xD9 && bytes[last - 2] == 0xFF
    }
}
