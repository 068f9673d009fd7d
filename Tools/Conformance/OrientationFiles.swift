import FoundationEssentials
import VitrineImaging

/// One landscape and one portrait, each in every EXIF orientation.
struct OrientationFiles: Corpus {
    let name = "exif-orientation"
    let promise = "All of a shape have one size and look alike, also at 1/8 of it."

    func findings(_ files: Files) -> [Finding] {
        ["Landscape", "Portrait"].flatMap { shape -> [Finding] in
            var first: (full: PixelBuffer, small: PixelBuffer)?
            return files.matching(shape, ".jpg").map { path in
                do {
                    let data = try files.data(path)
                    let small = try RasterImage(
                        decoding: data, options: DecodeOptions(targetSize: .maximum(225)))
                    return Attempt(data).finding(path, shape.lowercased()) { image in
                        let (full, part) =
                            first ?? (full: image.posterFrame, small: small.posterFrame)
                        first = (full, part)
                        guard let whole = Difference(image.posterFrame, full),
                            let shrunk = Difference(small.posterFrame, part)
                        else { return (false, "is \(image.pixelSize), not \(full.size)") }
                        // They were compressed anew after they had been turned.
                        return (
                            whole.mean < 4 && shrunk.mean < 3,
                            "\(rounded(whole.mean)) off on average, shrunk \(rounded(shrunk.mean))"
                        )
                    }
                } catch {
                    return Finding(
                        file: path, group: shape.lowercased(), isAsExpected: false,
                        seen: "\(error)")
                }
            }
        }
    }
}
