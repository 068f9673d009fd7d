import FoundationEssentials
import VitrineImaging

/// JPEG of many kinds with a PNG beside each, and hostile ones.
struct JPEGDecoderFiles: Corpus {
    let name = "jpeg-decoder"
    let promise =
        "Pictures are within 2 levels of their references; where colours are stored at half the size, "
        + "at most 2 on average. Hostile files neither crash nor hang."

    func findings(_ files: Files) -> [Finding] {
        files.matching("", ".jpg", ".jpeg").map { path in
            do {
                let data = try files.data(path)
                let attempt = Attempt(data)
                if path.hasPrefix("crashtest/") {
                    return attempt.finding(path, "hostile", refusedIsExpected: true) { _ in
                        (true, "decoded")
                    }
                }
                let reference = String(path.dropLast(4)) + ".png"
                guard files.has(reference) else {
                    return attempt.finding(path, "without reference", refusedIsExpected: true) {
                        ($0.pixelSize.width > 0, "decoded")
                    }
                }
                let isSubsampled = Self.isSubsampled(data)
                let group =
                    path.contains("lossless")
                    ? "lossless JPEG" : isSubsampled ? "colours at half the size" : "full colours"
                return attempt.finding(path, group) { image in
                    let picture = try RasterImage(decoding: files.data(reference)).posterFrame
                    guard let difference = Difference(image.posterFrame, picture) else {
                        return (false, "is \(image.pixelSize), not \(picture.size)")
                    }
                    let isRight = isSubsampled ? difference.mean <= 2 : difference.largest <= 2
                    return (isRight, difference.text)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }

    /// Whether the components have different sampling factors (ITU-T T.81, B.2.2).
    private static func isSubsampled(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        var offset = 2
        while offset + 9 < bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                let factors = (0..<Int(bytes[offset + 9])).compactMap { index -> UInt8? in
                    let place = offset + 11 + index * 3
                    return place < bytes.count ? bytes[place] : nil
                }
                return Set(factors).count > 1
            }
            offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
        }
        return false
    }
}
