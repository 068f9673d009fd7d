/// What the first bytes of a file look like.
enum FileSignature: Equatable {
    /// A picture that can be decoded.
    case raster(RasterFormat)
    /// A picture or document that is known, by name, but cannot be decoded.
    case unsupported(String)
    /// No picture; the text says what it seems to be instead.
    case other(String)

    init(of bytes: UnsafeRawBufferPointer) {
        self =
            if bytes.isEmpty {
                .other("empty")
            } else if let format = Self.raster(bytes) {
                .raster(format)
            } else if let name = Self.unsupported(bytes) {
                .unsupported(name)
            } else {
                Self.other(bytes)
            }
    }

    private static func raster(_ bytes: UnsafeRawBufferPointer) -> RasterFormat? {
        if bytes.begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.begins("GIF87a") || bytes.begins("GIF89a") { return .gif }
        if bytes.begins("RIFF"), bytes.begins("WEBP", at: 8) { return .webp }
        if bytes.begins([0x49, 0x49, 0x2A, 0]) || bytes.begins([0x4D, 0x4D, 0, 0x2A])
            || bytes.begins([0x49, 0x49, 0x2B, 0]) || bytes.begins([0x4D, 0x4D, 0, 0x2B])
        {
            return .tiff
        }
        let box: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]
        if bytes.begins([0xFF, 0x0A])
            || bytes.begins([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20] + box)
        {
            return .jpegXL
        }
        if bytes.begins([0xFF, 0x4F, 0xFF, 0x51])
            || bytes.begins([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20] + box)
        {
            return .jpeg2000
        }
        if bytes.begins("ftyp", at: 4) { return heif(bytes) }
        if isBMP(bytes) { return .bmp }
        if isIcon(bytes) { return .ico }
        if SVGSignature.isBeginning(of: ByteReader(bytes)) { return .svg }
        return XBMFile.isBeginning(of: ByteReader(bytes)) ? .xbm : nil
    }

    /// "BM" alone may begin any text; the length of the second header tells more.
    private static func isBMP(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // OS/2 may put the file into an array.
        let start = bytes.begins("BA") ? 14 : 0
        guard bytes.begins("BM", at: start) else { return false }
        return (12...255).contains(bytes.littleEndian32(at: start + 14) ?? 0)
    }

    /// A TGA may begin like a CUR, but its depth is where the length of the first cursor has its upper
    /// bytes: it would have half a megabyte or more.
    private static func isIcon(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.begins([0, 0, 1, 0]) || bytes.begins([0, 0, 2, 0]),
            let count = bytes.littleEndian16(at: 4), count > 0
        else { return false }
        guard bytes[2] == 2 else { return true }
        guard let length = bytes.littleEndian32(at: 14), let offset = bytes.littleEndian32(at: 18)
        else { return false }
        return bytes[9] == 0 && (1..<0x8_0000).contains(length) && offset >= 6 + 16 * count
    }

    /// HEIC and AVIF share a container; its brands tell them apart (ISO/IEC 14496-12, 4.3).
    private static func heif(_ bytes: UnsafeRawBufferPointer) -> RasterFormat? {
        let end = min(bytes.bigEndian32(at: 0) ?? 0, bytes.count, 256)
        var isHEIF = false
        for offset in [8] + Array(stride(from: 16, to: max(16, end), by: 4)) {
            if bytes.begins("avif", at: offset) || bytes.begins("avis", at: offset) {
                return .avif
            }
            let brands = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
            if brands.contains(where: { bytes.begins($0, at: offset) }) { isHEIF = true }
        }
        return isHEIF ? .heic : nil
    }

    private static func unsupported(_ bytes: UnsafeRawBufferPointer) -> String? {
        if bytes.begins("%PDF") { return "PDF" }
        if bytes.begins("8BPS") { return "PSD" }
        if bytes.begins("qoif") { return "QOI" }
        if bytes.begins([0x76, 0x2F, 0x31, 0x01]) { return "OpenEXR" }
        if bytes.begins([0x49, 0x49, 0xBC]) { return "JPEG XR" }
        return nil
    }

    private static func other(_ bytes: UnsafeRawBufferPointer) -> FileSignature {
        if bytes.begins("ftyp", at: 4) { return .other("video") }
        if bytes.begins([0x1F, 0x8B]) { return .other("gzip") }
        if bytes.begins("PK\u{3}\u{4}") { return .other("ZIP") }
        guard bytes.prefix(512).allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) })
        else { return .other("unknown") }
        guard
            String(validating: bytes.prefix(512), as: UTF8.self) != nil
                || bytes.count > 512
        else { return .other("unknown") }
        let text = bytes.headText.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.isEmpty { return .other("blank text") }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.hasPrefix("<head") {
            return .other("HTML")
        }
        if text.hasPrefix("<") { return .other(text.contains("<html") ? "HTML" : "XML") }
        if text.hasPrefix("{") || text.hasPrefix("[") { return .other("JSON") }
        return .other("text")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `pattern` stands at `offset`.
    func begins(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count, count - offset >= pattern.count else { return false }
        for index in pattern.indices where self[offset + index] != pattern[index] { return false }
        return true
    }

    /// Whether the bytes of `pattern` stand at `offset`.
    func begins(_ pattern: String, at offset: Int = 0) -> Bool {
        begins(Array(pattern.utf8), at: offset)
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    func littleEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    func littleEndian24(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 3 else { return nil }
        return Int(self[offset]) | Int(self[offset + 1]) << 8 | Int(self[offset + 2]) << 16
    }

    func littleEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    /// The first KB as lower-case text, for a look at what it might be.
    fileprivate var headText: String {
        String(decoding: prefix(1024), as: UTF8.self).lowercased()
    }
}
