/// What the numbers of a picture mean, as a file says it by numbers: the coding-independent code points
/// of ITU-T H.273. AVIF and HEIC have them in an `nclx` box, PNG in a cICP chunk, JPEG XL in its header.
public struct ColorCodePoints: Sendable, Hashable, CustomStringConvertible {
    /// What red, green and blue are (H.273, table 2): 1 those of sRGB, 9 BT.2020, 12 Display P3,
    /// 2 not specified, …
    public var primaries: Int
    /// How a number becomes light (H.273, table 3): 13 as in sRGB, 1 BT.709, 16 PQ, 18 HLG,
    /// 2 not specified, …
    public var transfer: Int

    /// Code points; any number is taken, as in a file.
    public init(primaries: Int, transfer: Int) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// The range of brightness that the transfer function means.
    public var dynamicRange: DynamicRange {
        switch transfer {
        case 16: .perceptualQuantizer
        case 18: .hybridLogGamma
        default: .standard
        }
    }

    /// For example "BT.2020, PQ"; a number where there is no short name.
    public var description: String {
        let primaries: String =
            switch self.primaries {
            case 1: "BT.709"
            case 2: "unspecified"
            case 5, 6: "BT.601"
            case 9: "BT.2020"
            case 11: "DCI-P3"
            case 12: "Display P3"
            default: "primaries \(self.primaries)"
            }
        let transfer: String =
            switch self.transfer {
            case 1, 6, 14, 15: "BT.709"
            case 2: "unspecified"
            case 8: "linear"
            case 13: "sRGB"
            case 16: "PQ"
            case 18: "HLG"
            default: "transfer \(self.transfer)"
            }
        return "\(primaries), \(transfer)"
    }
}

/// The range of brightness for which a picture was made.
///
/// What is decoded is always sRGB, whose white is as bright as paper; the highlights of the two high
/// ranges are compressed into it (Report ITU-R BT.2390).
public enum DynamicRange: String, Sendable, Hashable {
    /// White is the brightest.
    case standard
    /// HDR by absolute light, PQ (Rec. ITU-R BT.2100).
    case perceptualQuantizer = "PQ"
    /// HDR by relative light, HLG (Rec. ITU-R BT.2100).
    case hybridLogGamma = "HLG"
}
