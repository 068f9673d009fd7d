public import FoundationEssentials

/// What an image file is, as its header tells.
public struct ImageInfo: Sendable, Hashable {
    /// The format, found from the first bytes.
    public var format: RasterFormat
    /// Width and height as shown, that is with the orientation applied; of one frame.
    public var pixelSize: PixelSize
    /// Frames of an animation or pages of a TIFF; 1 where the installed libvips cannot tell, as with
    /// HEIC sequences.
    public var frameCount: Int
    /// True if pixels can be transparent; they need not be.
    public var hasAlpha: Bool
    /// The EXIF orientation as stored, 1…8 (CIPA DC-008, tag 274); 1 if there is none, and in formats
    /// whose codec turns the picture by itself (HEIC, AVIF, JPEG XL).
    public var orientation: Int
    /// True if an ICC profile is embedded.
    public var hasColorProfile: Bool
    /// Bits of one sample in the file where known, else of the decoded sample: 1, 2, 4, 8, 10, 12, 16…
    public var bitsPerSample: Int
    /// Bytes of the file.
    public var byteCount: Int
    /// What the file says of its colours by numbers, in an `nclx` box, a cICP chunk or the `cicp` tag of
    /// its profile; nil if it does not. Its ``ColorCodePoints/dynamicRange`` tells whether it is HDR.
    public var colorCodePoints: ColorCodePoints?
    /// True if there is a gain map beside the picture, from which a display for HDR makes a brighter one
    /// (ISO 21496-1, Ultra HDR, Apple's HEIC). It is not applied: the picture as it is was made for
    /// standard displays.
    public var hasGainMap = false
    /// True if the rows of a JPEG follow each other, so that a small version needs a few of them at a time;
    /// in several scans, as in a progressive one, the whole picture is in memory until the last.
    package var comesByRows = false

    /// How the file keeps colours; nil where its header does not tell.
    public var colorModel: ColorModel?
    /// What the ICC profile calls itself: "Display P3", "sRGB IEC61966-2.1"; nil if there is none, or
    /// none with a name.
    public var colorProfileName: String?
    /// Dots per inch, as JFIF, EXIF, PNG or TIFF have it; nil if nothing is said.
    public var resolution: Resolution?
    /// True if the whole picture comes several times, finer every time: a progressive JPEG, an
    /// interlaced PNG or GIF.
    public var isProgressive = false
    /// How often an animation is played: nil is for ever, 1 for a still.
    public var loopCount: Int? = 1
    /// How long an animation plays once, as browsers show it; zero for a still.
    public var duration = Duration.zero
    /// True if EXIF data are embedded.
    public var hasEXIF = false
    /// True if an XMP packet is embedded.
    public var hasXMP = false
    /// True if the EXIF data hold a small version of the picture.
    public var hasThumbnail = false

    /// How a file keeps colours.
    public enum ColorModel: String, Sendable, Hashable, CaseIterable {
        /// Grey, or black and white.
        case grey
        /// Red, green and blue, or what is made of them (YCbCr).
        case rgb
        /// A table of colours, and for each pixel a place in it.
        case palette
        /// The four colours of printing.
        case cmyk
        /// CMYK with its first three colours as luminance and two differences.
        case ycck
    }

    /// Dots per inch.
    public struct Resolution: Sendable, Hashable {
        /// Along a row, as the file keeps it: before ``ImageInfo/orientation`` is applied.
        public var horizontal: Double
        /// Along a column, as the file keeps it.
        public var vertical: Double

        /// A resolution.
        public init(horizontal: Double, vertical: Double) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// Facts from elsewhere, for a decoder of one's own.
    public init(
        format: RasterFormat, pixelSize: PixelSize, frameCount: Int = 1, hasAlpha: Bool,
        orientation: Int = 1, hasColorProfile: Bool = false, bitsPerSample: Int = 8, byteCount: Int
    ) {
        self.format = format
        self.pixelSize = pixelSize
        self.frameCount = frameCount
        self.hasAlpha = hasAlpha
        self.orientation = orientation
        self.hasColorProfile = hasColorProfile
        self.bitsPerSample = bitsPerSample
        self.byteCount = byteCount
    }

    /// Reads the header only: microseconds, and no memory for pixels.
    ///
    /// It blocks. For a TIFF, HEIC, JPEG XL, JPEG 2000 or an odd JPEG the first use in a process starts
    /// libvips, about 25 ms. A file that is cut short behind its header may pass.
    ///
    /// - Throws: what ``RasterImage/init(decoding:options:cancellation:)`` throws for the header, and for limits
    ///   that the file exceeds.
    public init(
        probing data: Data, limits: DecodeLimits = DecodeLimits()
    ) throws(ImagingError) {
        let (decoder, format) = try DecoderRegistry.standard.decoder(for: data)
        self = try decoder.probe(data, format: format, limits: limits)
    }
}
