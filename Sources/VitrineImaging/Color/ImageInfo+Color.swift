extension ImageInfo {
    /// Whether the ICC profile tells what the colours are. Numbers for HDR count before it, since a profile
    /// cannot say how bright its white is; a cICP chunk of PNG counts in any case (PNG 3rd edition,
    /// 4.3).
    var profileCounts: Bool {
        guard hasColorProfile else { return false }
        guard let points = colorCodePoints else { return true }
        return format != .png && points.dynamicRange == .standard
    }

    /// What brings the colours to sRGB by the code points; nil if they are sRGB, or if the profile counts.
    var converter: SRGBConverter? {
        profileCounts ? nil : colorCodePoints.flatMap { SRGBConverter($0) }
    }
}
