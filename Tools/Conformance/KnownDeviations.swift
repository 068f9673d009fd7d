/// Why some files do not give what is expected of them.
enum KnownDeviations {
    static func reason(corpus: String, file: String) -> String? {
        let path = "\(corpus)/\(file)"
        return list.first { path.hasPrefix($0.start) }?.reason
    }

    /// By the start of a path.
    private static let list: [(start: String, reason: String)] = [
        (
            "bmpsuite/q/pal1huffmsb.bmp",
            "Huffman coding, of OS/2 2.x, is not decoded; refused by name."
        ),
        (
            "bmpsuite/q/rgb24prof.bmp",
            "Its profile, which is nearly sRGB, is applied; the reference is not managed."
        ),
        (
            "bmpsuite/q/rgb24prof2.bmp",
            "Its profile is applied and swaps the channels back; its curve is not quite that of sRGB."
        ),
        (
            "jpeg-decoder/reftest/lossless/",
            "The lossless process of JPEG (SOF3) is not in libjpeg-turbo 2.1."
        ),
        (
            "jpeg-decoder/reftest/mozilla/jpg-cmyk-1.jpg",
            "CMYK is shown by a print profile; the reference comes from plain arithmetic."
        ),
        (
            "jpeg-decoder/reftest/ycck.jpg",
            "CMYK is shown by a print profile; the reference comes from plain arithmetic."
        ),
        (
            "image-webp/images/animated/random_lossless.webp",
            "Blending of half transparent frames is rounded otherwise; libwebp's own differs as much."
        ),
        (
            "libavif/draw_points_idat_metasize0.avif",
            "A box that extends to the end of the file is unknown to libavif 0.11; refused."
        ),
        (
            "libavif/draw_points_idat_progressive_metasize0.avif",
            "A box that extends to the end of the file is unknown to libavif 0.11; refused."
        ),
    ]
}
