public import FoundationEssentials

/// A file format of pictures that can be decoded.
///
/// It is found from the first bytes of a file, never from a name or a header field.
public enum RasterFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// PNG (ISO/IEC 15948) and APNG.
    case png
    /// JPEG (ITU-T T.81): baseline and progressive; grey, YCbCr, CMYK and YCCK.
    case jpeg
    /// GIF 87a and 89a.
    case gif
    /// WebP (RFC 9649): lossy, lossless, animated.
    case webp
    /// TIFF 6.0 and BigTIFF.
    case tiff
    /// HEIC and HEIF with HEVC inside (ISO/IEC 23008-12).
    case heic
    /// AVIF: HEIF with AV1 inside.
    case avif
    /// JPEG XL (ISO/IEC 18181): bare codestream and container.
    case jpegXL
    /// JPEG 2000 (ITU-T T.800): bare codestream and JP2.
    case jpeg2000
    /// BMP of Windows and OS/2, every version of the header.
    case bmp
    /// ICO and CUR: icons and cursors of Windows.
    case ico
    /// XBM: bitmaps of the X Window System.
    case xbm
    /// SVG (Scalable Vector Graphics 1.1, and what librsvg knows of 2), rendered where
    /// ``DecodeLimits/allowsSVG`` says so.
    case svg

    /// The format that `bytes` begin with; nil if it is none of these.
    ///
    /// 32 bytes tell every format but HEIC and AVIF, which need their `ftyp` box, XBM, which may begin
    /// with comments of up to 1 KB, and SVG, which may with up to 64 KB; else the first 256 bytes
    /// suffice. Says nothing about the rest of the file.
    public init?(sniffing bytes: UnsafeRawBufferPointer) {
        guard case .raster(let format) = FileSignature(of: bytes) else { return nil }
        self = format
    }

    /// The format that `bytes` begin with; nil if it is none of these.
    ///
    /// The first 256 bytes suffice, but for an XBM or SVG that begins with comments.
    public init?(sniffing bytes: Data) {
        guard let format = bytes.withUnsafeBytes({ RasterFormat(sniffing: $0) }) else { return nil }
        self = format
    }

    /// The media types that servers send for it; the first one is the preferred one.
    public var mimeTypes: [String] {
        switch self {
        case .png: ["image/png", "image/apng"]
        case .jpeg: ["image/jpeg", "image/jpg"]
        case .gif: ["image/gif"]
        case .webp: ["image/webp"]
        case .tiff: ["image/tiff"]
        case .heic: ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"]
        case .avif: ["image/avif", "image/avif-sequence"]
        case .jpegXL: ["image/jxl"]
        case .jpeg2000: ["image/jp2"]
        case .bmp: ["image/bmp", "image/x-bmp", "image/x-ms-bmp", "image/x-win-bitmap"]
        case .ico: ["image/vnd.microsoft.icon", "image/x-icon", "image/ico"]
        case .xbm: ["image/x-xbitmap", "image/x-xbm"]
        case .svg: ["image/svg+xml"]
        }
    }

    /// The usual end of a file's name, without a dot: "jpg", "png", …
    public var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        case .webp: "webp"
        case .tiff: "tiff"
        case .heic: "heic"
        case .avif: "avif"
        case .jpegXL: "jxl"
        case .jpeg2000: "jp2"
        case .bmp: "bmp"
        case .ico: "ico"
        case .xbm: "xbm"
        case .svg: "svg"
        }
    }

    /// The name that people know: "JPEG", "WebP", "JPEG XL", …
    public var description: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .tiff: "TIFF"
        case .heic: "HEIC"
        case .avif: "AVIF"
        case .jpegXL: "JPEG XL"
        case .jpeg2000: "JPEG 2000"
        case .bmp: "BMP"
        case .ico: "ICO"
        case .xbm: "XBM"
        case .svg: "SVG"
        }
    }
}
