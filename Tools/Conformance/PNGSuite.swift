import FoundationEssentials
import VitrineImaging

/// Every kind of PNG, with its pixels as JSON; names with an x are broken.
struct PNGSuite: Corpus {
    let name = "pngsuite"
    let promise =
        "Valid files are exact, 16-bit ones within 1 of their upper 8 bits; broken ones are refused."

    func findings(_ files: Files) -> [Finding] {
        files.matching("png/", ".png").map { path in
            let stem = String(path.dropFirst(4).dropLast(4))
            do {
                let attempt = Attempt(try files.data(path))
                if stem.hasPrefix("x") {
                    return attempt.finding(path, "broken", refusedIsExpected: true) { _ in
                        (false, "decoded")
                    }
                }
                let isWide = stem.hasSuffix("16")
                return attempt.finding(path, isWide ? "valid, 16-bit" : "valid") { image in
                    let reference = try Self.reference(stem, isWide, image.pixelSize, files)
                    return image.compared(reference, within: isWide ? 1 : 0)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }

    private static func reference(
        _ stem: String, _ isWide: Bool, _ size: PixelSize, _ files: Files
    ) throws -> PixelBuffer {
        let data = try files.data("json/\(stem).json")
        let samples = try JSONDecoder().decode([UInt16].self, from: data)
        return try PixelBuffer(size: size, isOpaque: false) { memory in
            guard memory.count == samples.count else {
                throw ImagingError.invalidArgument(name: "reference", reason: "another size")
            }
            for (offset, sample) in samples.enumerated() {
                memory[offset] = UInt8(truncatingIfNeeded: isWide ? sample >> 8 : sample)
            }
        }
    }
}
