/// What the chunks before the picture of a PNG tell (PNG 3rd edition, 11.2 and 11.3).
struct PNGHeader {
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var bitsPerSample = 0
    private(set) var hasAlpha = false
    private(set) var hasColorProfile = false
    private var profile: [UInt8] = []
    private(set) var orientation = 1
    private(set) var colorCodePoints: ColorCodePoints?
    private(set) var facts = HeaderFacts()

    /// Reads them up to the first IDAT.
    ///
    /// - Throws: ``ImagingError/truncated(format:)`` if that never comes,
    ///   ``ImagingError/corrupt(format:reason:)`` where what must be right is wrong.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        var chunks = PNGChunks(bytes)
        guard let first = chunks.next() else { throw .truncated(format: .png) }
        guard first.kind == "IHDR", first.length == 13 else { throw Self.broken("no IHDR chunk") }
        guard first.isIntact(in: bytes) else { throw Self.broken("a checksum is wrong") }
        let header = ByteReader(bytes).rest(from: first.body)
        size = PixelSize(width: header.big32(at: 0) ?? 0, height: header.big32(at: 4) ?? 0)
        guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height)
        else { throw Self.broken("it has no size") }
        let (depth, kind) = (Int(header[8]), header[9])
        guard Self.depths[kind]?.contains(depth) == true else {
            throw Self.broken("an unknown kind of sample")
        }
        bitsPerSample = depth
        hasAlpha = kind & 4 != 0
        facts.colorModel = kind == 3 ? .palette : kind & 2 == 0 ? .grey : .rgb
        facts.isProgressive = header[12] == 1
        try readOthers(&chunks, bytes)
    }

    private mutating func readOthers(
        _ chunks: inout PNGChunks, _ bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) {
        while bytes.begins("IDAT", at: chunks.offset + 4) == false {
            guard let chunk = chunks.next() else { throw .truncated(format: .png) }
            let body = ByteReader(
                UnsafeRawBufferPointer(rebasing: bytes[chunk.body..<chunk.body + chunk.length]))
            switch chunk.kind {
            case "tRNS": hasAlpha = true
            case "iCCP":
                hasColorProfile = true
                profile = PNGProfile.beginning(in: body)
                // The name by which PNGs were marked as PQ before there was cICP.
                if colorCodePoints == nil, body.begins("ITUR_2100_PQ_FULL\0") {
                    colorCodePoints = ColorCodePoints(primaries: 9, transfer: 16)
                }
            case "eXIf":
                orientation = EXIFBlock(body)?.orientation ?? 1
                facts.read(exif: body)
            case "iTXt": facts.hasXMP = facts.hasXMP || body.begins("XML:com.adobe.xmp\0")
            case "pHYs": facts.resolution = Self.resolution(body) ?? facts.resolution
            case "cICP" where chunk.length == 4 && chunk.isIntact(in: bytes) && body[2] == 0:
                colorCodePoints = ColorCodePoints(
                    primaries: Int(body[0]), transfer: Int(body[1]))
            case "IEND": throw Self.broken("it has no picture")
            default: break
            }
        }
    }

    /// Dots per metre, as per inch (11.3.4.3).
    private static func resolution(_ body: ByteReader) -> ImageInfo.Resolution? {
        guard body[8] == 1, let across = body.big32(at: 0), let down = body.big32(at: 4),
            across > 0, down > 0
        else { return nil }
        return ImageInfo.Resolution(
            horizontal: Double(across) * 0.0254, vertical: Double(down) * 0.0254)
    }

    /// The same as facts of the file, which is `bytes`.
    ///
    /// - Throws: ``ImagingError/tooLarge(what:found:limit:)``.
    func info(
        _ bytes: UnsafeRawBufferPointer, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        var info = ImageInfo(
            format: .png, pixelSize: orientation > 4 ? size.transposed : size, hasAlpha: hasAlpha,
            orientation: orientation, hasColorProfile: hasColorProfile,
            bitsPerSample: bitsPerSample, byteCount: bytes.count)
        var facts = facts
        let profileBytes = profile.withUnsafeBytes { bytes in
            let profile = ICCProfile(ByteReader(bytes))
            facts.profileName = profile.name
            info.colorCodePoints = colorCodePoints ?? profile.colorCodePoints
            return ByteReader(bytes).big32(at: 0) ?? 0
        }
        facts.describe(&info)
        try limits.check(source: info.pixelSize, frames: 1)
        try limits.check(profileBytes: profileBytes)
        return info
    }

    /// The depths of each colour type (11.2.1).
    private static let depths: [UInt8: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    private static func broken(_ reason: String) -> ImagingError {
        .corrupt(format: .png, reason: reason)
    }
}
