import FoundationEssentials

/// One BMP file under way from bytes to pixels; lives only as long as the bytes are borrowed.
struct BMPFile {
    private let bytes: ByteReader
    private let header: BMPHeader
    /// Where the header begins.
    private let start: Int
    /// Where the pixels begin.
    private let pixels: Int
    /// The picture that is embedded whole, if one is.
    private let inner: EmbeddedPicture?
    let info: ImageInfo

    /// Reads the headers and holds them against the limits.
    init(_ bytes: ByteReader, limits: DecodeLimits) throws(ImagingError) {
        try limits.check(bytes: bytes.count)
        // OS/2 may put a file into an array of several; the first one is shown.
        let file = bytes.begins("BA") ? 14 : 0
        let start = file + 14
        guard bytes.has(14, at: file) else { throw .truncated(format: .bmp) }
        header = try BMPHeader(bytes.rest(from: start))
        let promised = bytes.little32(at: file + 10) ?? 0
        let palette = start + header.paletteOffset
        let behind = palette + header.paletteCount * header.paletteEntrySize
        // Some writers leave the place of the pixels out: they follow the palette then.
        pixels = promised >= palette ? promised : min(behind, bytes.count)
        self.bytes = bytes
        self.start = start
        inner =
            switch header.compression {
            case .jpeg:
                try EmbeddedPicture(.jpeg, bytes.rest(from: pixels), in: .bmp, limits: limits)
            case .png: try EmbeddedPicture(.png, bytes.rest(from: pixels), in: .bmp, limits: limits)
            default: nil
            }
        let isRuns = [.runs4, .runs8, .runs24].contains(header.compression)
        var info = ImageInfo(
            format: .bmp, pixelSize: inner?.info.pixelSize ?? header.size,
            hasAlpha: inner?.info.hasAlpha
                ?? (isRuns || header.fields.hasAlpha || header.bitsPerPixel == 64),
            orientation: inner?.info.orientation ?? 1,
            hasColorProfile: header.colorProfile != nil || inner?.info.hasColorProfile == true,
            bitsPerSample: inner?.info.bitsPerSample ?? header.bitsPerSample,
            byteCount: bytes.count)
        info.colorModel =
            inner?.info.colorModel ?? (header.bitsPerPixel <= 8 ? .palette : .rgb)
        // What is not within the file is no profile.
        if let range = header.colorProfile,
            let profile = bytes.part(at: start + range.lowerBound, count: range.count)
        {
            try limits.check(profileBytes: profile.count)
            info.colorProfileName = ICCProfile(profile).name
        }
        self.info = info
        try limits.check(source: info.pixelSize, frames: 1)
    }

    /// Decodes the picture to the target size.
    ///
    /// With `acceptsPart` the file may end within the pixels; what is missing stays transparent.
    func frame(
        _ options: DecodeOptions, _ cancellation: DecodeCancellation, acceptsPart: Bool = false
    ) throws(ImagingError) -> PixelBuffer {
        let plan = try options.checkedPlan(for: info.pixelSize)
        if let inner { return try inner.frame(options, cancellation) }
        // Colours cost by the pixel.
        let resized = try drawn(cancellation, acceptsPart).resized(by: plan, of: .bmp)
        try cancellation.check()
        return try resized.managed(by: profile, of: .bmp)
    }

    /// The embedded colour profile, if it is there; its size was checked.
    private var profile: ByteReader? {
        guard let range = header.colorProfile, range.count >= 128 else {
            return nil
        }
        return bytes.part(at: start + range.lowerBound, count: range.count)
    }

    private func drawn(
        _ cancellation: DecodeCancellation, _ acceptsPart: Bool
    ) throws(ImagingError) -> PixelBuffer {
        let palette = BMPPalette(
            header, in: bytes, start: start + header.paletteOffset, end: pixels)
        let rest = bytes.rest(from: pixels)
        guard header.compression == .none else {
            return try PixelBuffer.drawn(header.size, of: .bmp) { (canvas) throws(ImagingError) in
                let runs = BMPRuns(compression: header.compression, palette: palette)
                let isWhole = try runs.draw(rest, on: canvas, cancellation)
                guard isWhole || acceptsPart && !canvas.isClear else {
                    throw .truncated(format: .bmp)
                }
            }
        }
        let needed = acceptsPart ? header.rowBytes : header.pixelBytes
        guard let needed, rest.has(needed, at: 0) else {
            throw .truncated(format: .bmp)
        }
        let rows = BMPRows(header: header, palette: palette, fields: header.fields)
        return try PixelBuffer.drawn(header.size, of: .bmp) { (canvas) throws(ImagingError) in
            let drawn = try rows.draw(rest, on: canvas, cancellation)
            if header.fields.hasAlpha { canvas.makeOpaqueIfClear(in: drawn) }
        }
    }
}

extension BMPHeader {
    /// Bytes of all uncompressed rows; nil if they cannot be counted.
    var pixelBytes: Int? {
        let (bytes, overflow) = rowBytes.multipliedReportingOverflow(by: size.height)
        return overflow ? nil : bytes
    }
}
