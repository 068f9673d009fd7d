import FoundationEssentials
import VitrineImaging

/// GIF samples, regressions and hostile files. The list of checksums is of each frame's own pixels,
/// not of what is shown, and so can be compared for stills that fill their canvas only.
struct GIFFiles: Corpus {
    let name = "image-gif"
    let promise =
        "Samples decode, stills with the checksum that the list gives; hostile files neither crash "
        + "nor hang."

    func findings(_ files: Files) -> [Finding] {
        let sums = Self.checksums(files)
        return files.matching("", ".gif").map { path in
            do {
                let data = try files.data(path)
                let attempt = Attempt(data)
                let isHostile = path.hasPrefix("crashtest/")
                let group = path.split(separator: "/").first.map(String.init) ?? "other"
                return attempt.finding(path, group, refusedIsExpected: isHostile) { image in
                    guard let sum = sums[path], image.info.frameCount == 1, image.isOpaque else {
                        return (true, "decoded, \(image.info.frameCount) frames")
                    }
                    let found = image.posterFrame.withUnsafeBytes { Self.crc($0) }
                    return (found == sum, found == sum ? "exact" : "has another checksum")
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }

    private static func checksums(_ files: Files) -> [String: UInt32] {
        guard let data = try? files.data("results.txt") else { return [:] }
        var sums: [String: UInt32] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard parts.count == 2, parts[0].hasPrefix("tests/") else { continue }
            sums[String(parts[0].dropFirst(6))] = UInt32(parts[1].drop { $0 == " " })
        }
        return sums
    }

    /// CRC-32 as in PNG (ISO/IEC 15948, annex D).
    private static func crc(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes { crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
        return ~crc
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in
            crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1
        }
    }
}
