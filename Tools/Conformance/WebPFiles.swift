import FoundationEssentials
import VitrineImaging

/// WebP of many kinds, with a PNG for each frame.
struct WebPFiles: Corpus {
    let name = "image-webp"
    let promise =
        "Lossless pictures are exact, lossy ones at most 2 off on average; of animations the first "
        + "frame is compared."

    func findings(_ files: Files) -> [Finding] {
        files.matching("images/", ".webp").map { path in
            do {
                let data = try files.data(path)
                let attempt = Attempt(data)
                let stem = "reference/" + path.dropFirst(7).dropLast(5)
                let isAnimated = path.contains("/animated/")
                let isLossless = data.firstRange(of: Data("VP8L".utf8)) != nil
                let group =
                    (isAnimated ? "animated, " : "") + (isLossless ? "lossless" : "lossy")
                let reference = isAnimated ? "\(stem)-1.png" : "\(stem).png"
                return attempt.finding(path, group) { image in
                    let picture = try RasterImage(decoding: files.data(reference)).posterFrame
                    guard let difference = Difference(image.posterFrame, picture) else {
                        return (false, "is \(image.pixelSize), not \(picture.size)")
                    }
                    let isRight = isLossless ? difference.largest == 0 : difference.mean <= 2
                    return (isRight, difference.text)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }
}
