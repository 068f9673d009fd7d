import FoundationEssentials
import VitrineImaging

/// WebP of many kinds, with a PNG for each frame.
struct WebPFiles: Corpus {
    let name = "image-webp"
    let promise =
        "Lossless pictures are exact, lossy ones at most 2 off on average; of animations every frame "
        + "is compared, and there are as many as references."

    func findings(_ files: Files) async -> [Finding] {
        await files.matching("images/", ".webp").asyncMap { path in
            do {
                let data = try files.data(path)
                let attempt = Attempt(data)
                let stem = "reference/" + path.dropFirst(7).dropLast(5)
                let isAnimated = path.contains("/animated/")
                let isLossless = data.firstRange(of: Data("VP8L".utf8)) != nil
                let group =
                    (isAnimated ? "animated, " : "") + (isLossless ? "lossless" : "lossy")
                return await attempt.finding(path, group) { image in
                    let names = isAnimated ? files.matching(stem + "-", ".png") : [stem + ".png"]
                    guard image.frameCount == names.count else {
                        return (false, "has \(image.frameCount) frames, not \(names.count)")
                    }
                    var worst = Difference.none
                    for (frame, name) in zip(try await Attempt.frames(of: image), names) {
                        let picture = try RasterImage(decoding: files.data(name)).posterFrame
                        guard let difference = Difference(frame, picture) else {
                            return (false, "is \(frame.size), not \(picture.size)")
                        }
                        if difference.mean >= worst.mean { worst = difference }
                    }
                    let isRight = isLossless ? worst.largest == 0 : worst.mean <= 2
                    let delays = image.rawDurations.map { "\(Int($0 / .milliseconds(1)))" }
                    let rest = isAnimated ? ", delays \(delays.joined(separator: ", ")) ms" : ""
                    return (isRight, worst.text + rest)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }
}
