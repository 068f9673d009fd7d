/// The header of a device-independent bitmap, as BMP files and icons hold it, of any version: OS/2 1.x
/// (12 bytes), OS/2 2.x (16 to 64), Windows 3 (40), its extensions (52, 56), 4 (108), 5 (124).
struct BMPHeader: Equatable {
    enum Compression: Equatable {
        case none, runs4, runs8, runs24, jpeg, png
    }

    /// Bytes of the header, without masks that follow it.
    let length: Int
    /// As stored: an icon's height counts the mask too.
    let size: PixelSize
    let isTopDown: Bool
    let bitsPerPixel: Int
    let compression: Compression
    /// Red, green, blue and alpha of a pixel of 16 or 32 bits.
    let fields: BMPFields
    /// Where the palette begins, from the start of the header.
    let paletteOffset: Int
    /// Entries of the palette in the file; what the header promises, not what is there.
    let paletteCount: Int
    /// Bytes of an entry of the palette: 3 in OS/2 1.x, else 4.
    let paletteEntrySize: Int
    /// Whether the header says how many entries there are; if not, the pixels may begin earlier.
    let paletteCountIsStated: Bool
    /// Where the ICC profile is, from the start of the header, and its bytes, as the header promises;
    /// nil if none is embedded.
    let colorProfile: Range<Int>?

    /// Reads the header that begins with `bytes`.
    init(_ bytes: ByteReader) throws(ImagingError) {
        guard let length = bytes.little32(at: 0) else { throw .truncated(format: .bmp) }
        switch length {
        case 12, 16...64, 108, 124: break
        default: throw Self.corrupt("its header has \(length) bytes")
        }
        guard bytes.has(length, at: 0) else { throw .truncated(format: .bmp) }
        self.length = length
        let isCore = length == 12
        let number = { (offset: Int) in
            offset + 4 <= length ? bytes.little32(at: offset) ?? 0 : 0
        }
        let width =
            isCore ? bytes.little16(at: 4) ?? 0 : bytes.signedLittle32(at: 4) ?? 0
        let height =
            isCore ? bytes.little16(at: 6) ?? 0 : bytes.signedLittle32(at: 8) ?? 0
        let planes = bytes.little16(at: isCore ? 8 : 12) ?? 0
        let bits = bytes.little16(at: isCore ? 10 : 14) ?? 0
        guard width > 0, height != 0 else {
            throw Self.corrupt("its size is \(width) × \(height)")
        }
        guard planes <= 1 else { throw Self.corrupt("it has \(planes) planes") }
        size = PixelSize(width: width, height: Int(height.magnitude))
        isTopDown = height < 0
        bitsPerPixel = bits

        let method = isCore ? 0 : number(16)
        let isOS2 = length < 40 || (length < 108 && ![40, 52, 56].contains(length))
        let hasMasks = !isOS2 && (method == 3 || method == 6)
        compression = try Self.compression(method, bits: bits, isOS2: isOS2)
        if compression != .none, isTopDown, compression != .jpeg, compression != .png {
            throw Self.corrupt("it is compressed and stored from the top down")
        }
        fields = try Self.fields(
            bytes, hasMasks: hasMasks,
            hasAlpha: hasMasks && (method == 6 || length >= 56), bits: bits)
        // The masks are in the header, or follow it.
        let end = hasMasks ? (method == 6 ? 56 : 52) : 0
        paletteOffset = max(length, end)
        paletteEntrySize = isCore ? 3 : 4
        let stated = isCore ? 0 : number(32)
        paletteCountIsStated = stated > 0
        paletteCount = stated > 0 ? stated : bits <= 8 && bits > 0 ? 1 << bits : 0
        // "MBED": the profile is in the file; a linked one ("LINK") is never looked for.
        let hasProfile = length == 124 && number(56) == 0x4D42_4544
        colorProfile = hasProfile ? number(112)..<number(112) + number(116) : nil
    }

    /// Bytes from one row of uncompressed pixels to the next.
    var rowBytes: Int {
        // At most 2³¹ pixels of 64 bits, which cannot overflow.
        (size.width * bitsPerPixel + 31) / 32 * 4
    }

    /// Bits of one sample: of the palette's index, of a channel else.
    var bitsPerSample: Int {
        switch bitsPerPixel {
        case 1...8: bitsPerPixel
        case 16, 32: fields.widest
        case 64: 16
        default: 8
        }
    }

    static func corrupt(_ reason: String) -> ImagingError {
        .corrupt(format: .bmp, reason: reason)
    }

    private static func compression(
        _ method: Int, bits: Int, isOS2: Bool
    ) throws(ImagingError) -> Compression {
        switch (method, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32), (0, 64): return .none
        case (1, 8): return .runs8
        case (2, 4): return .runs4
        case (3, 1) where isOS2: throw .unsupportedFormat("BMP with Huffman coding")
        case (4, 24) where isOS2: return .runs24
        case (3, 16), (3, 32), (6, 16), (6, 32): return .none
        case (4, _) where !isOS2: return .jpeg
        case (5, _) where !isOS2: return .png
        case (11...13, _): throw .unsupportedFormat("BMP in CMYK")
        default:
            throw corrupt("compression \(method) of \(bits) bits a pixel is unknown")
        }
    }

    private static func fields(
        _ bytes: ByteReader, hasMasks: Bool, hasAlpha: Bool, bits: Int
    ) throws(ImagingError) -> BMPFields {
        guard hasMasks else { return bits == 16 ? .fiveBits : .eightBits }
        guard let red = bytes.little32(at: 40), let green = bytes.little32(at: 44),
            let blue = bytes.little32(at: 48), let alpha = hasAlpha ? bytes.little32(at: 52) : 0
        else { throw .truncated(format: .bmp) }
        let all = bits == 16 ? 0xFFFF : 0xFFFF_FFFF
        guard
            let fields = BMPFields(
                red: red & all, green: green & all, blue: blue & all, alpha: alpha & all)
        else { throw corrupt("the masks of its channels have gaps") }
        return fields
    }
}
