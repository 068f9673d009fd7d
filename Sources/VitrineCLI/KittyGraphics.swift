import FoundationEssentials

/// The terminal graphics protocol of kitty, as other terminals have it too.
enum KittyGraphics {
    /// The most bytes of base64 in one escape code.
    private static let chunkSize = 4096

    /// What shows a PNG file where the cursor is, and goes to the next line.
    ///
    /// The terminal is told not to answer, since nobody reads that (`q=2`).
    static func codes(png: Data) -> [String] {
        let base64 = Array(png.base64EncodedString().utf8)
        return stride(from: 0, to: base64.count, by: chunkSize).map { start in
            let end = min(start + chunkSize, base64.count)
            let more = end < base64.count ? 1 : 0
            let keys = start == 0 ? "a=T,f=100,q=2,m=\(more)" : "q=2,m=\(more)"
            return "\u{1B}_G\(keys);\(String(decoding: base64[start..<end], as: UTF8.self))\u{1B}\\"
        } + ["\n"]
    }
}
