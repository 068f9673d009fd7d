/// One XBM file under way from text to pixels; lives only as long as the bytes are borrowed.
struct XBMFile {
    /// Behind the brace that opens the values.
    private let scanner: XBMScanner
    /// X10 wrote the rows as numbers of 16 bits, X11 writes bytes.
    private let bitsPerValue: Int
    let info: ImageInfo

    /// Whether `bytes` begin like an XBM: with the definition of a width or of a place in the picture.
    static func isBeginning(of bytes: ByteReader) -> Bool {
        guard let head = bytes.part(at: 0, count: min(bytes.count, 1024)) else { return false }
        var scanner = XBMScanner(head)
        guard scanner.next() == .mark(UInt8(ascii: "#")),
            scanner.matches(scanner.next(), "define")
        else { return false }
        let name = scanner.next()
        let isKnown = ["width", "height", "x_hot", "y_hot"].contains {
            scanner.ends(name, with: $0)
        }
        let value = scanner.next()
        return isKnown && scanner.number(value) != nil
    }

    /// Reads all up to the values, and holds the size against the limits.
    init(_ bytes: ByteReader, limits: DecodeLimits) throws(ImagingError) {
        try limits.check(bytes: bytes.count)
        var scanner = XBMScanner(bytes)
        var width: Int?
        var height: Int?
        var bits = 8
        header: while true {
            guard let word = scanner.next() else { throw .truncated(format: .xbm) }
            switch word {
            case .mark(UInt8(ascii: "{")): break header
            case .mark(UInt8(ascii: "#")):
                guard scanner.matches(scanner.next(), "define") else { continue }
                let name = scanner.next()
                if scanner.ends(name, with: "width") {
                    width = scanner.number(scanner.next())
                } else if scanner.ends(name, with: "height") {
                    height = scanner.number(scanner.next())
                }
            case .text:
                if scanner.matches(word, "short") { bits = 16 }
            case .mark: continue
            }
        }
        guard let width, let height, width > 0, height > 0 else {
            throw .corrupt(format: .xbm, reason: "its size is not given")
        }
        self.scanner = scanner
        bitsPerValue = bits
        var info = ImageInfo(
            format: .xbm, pixelSize: PixelSize(width: width, height: height), hasAlpha: true,
            bitsPerSample: 1, byteCount: bytes.count)
        info.colorModel = .grey
        self.info = info
        try limits.check(source: info.pixelSize, frames: 1)
        // The shortest value is "0,": a file that promises more pixels than it can have is cut short.
        let values = ((width + bits - 1) / bits).multipliedReportingOverflow(by: height)
        guard !values.overflow, values.partialValue <= (bytes.count - scanner.offset + 1) / 2 else {
            throw .truncated(format: .xbm)
        }
    }

    /// Bits that are set are black, others transparent; the lowest bit of a value is the leftmost.
    func drawn(_ cancellation: DecodeCancellation) throws(ImagingError) -> PixelBuffer {
        try PixelBuffer.drawn(info.pixelSize, of: .xbm) { (canvas) throws(ImagingError) in
            var values = XBMValues(scanner)
            for y in 0..<canvas.height {
                try cancellation.check()
                for x in stride(from: 0, to: canvas.width, by: bitsPerValue) {
                    let value = try values.next()
                    for bit in 0..<bitsPerValue where value >> bit & 1 != 0 {
                        canvas.set(x + bit, y, .black)
                    }
                }
            }
        }
    }
}
