import FoundationEssentials
import VitrineImaging

/// Small AVIF files that use what is rarely used, some of them broken.
struct AVIFFiles: Corpus {
    let name = "libavif"
    let promise =
        "Each decodes, near its reference where it has one, or is refused with a reason."

    func findings(_ files: Files) -> [Finding] {
        files.matching("", ".avif").map { path in
            do {
                let attempt = Attempt(try files.data(path))
                let stem = String(path.dropLast(5))
                let reference = Self.references[stem]
                return attempt.finding(
                    path, reference == nil ? "without reference" : "with reference",
                    refusedIsExpected: reference == nil
                ) { image in
                    guard let reference else {
                        return (true, "decoded as \(image.pixelSize)")
                    }
                    let picture = try RasterImage(decoding: files.data(reference)).posterFrame
                    guard let difference = Difference(image.posterFrame, picture) else {
                        return (false, "is \(image.pixelSize), not \(picture.size)")
                    }
                    return (difference.mean <= 6, difference.text)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }

    /// Files whose source picture is among the PNGs.
    private static let references = [
        "paris_icc_exif_xmp": "paris_icc_exif_xmp.png",
        "draw_points_idat": "draw_points.png",
        "draw_points_idat_metasize0": "draw_points.png",
        "draw_points_idat_progressive": "draw_points.png",
        "draw_points_idat_progressive_metasize0": "draw_points.png",
    ]
}
