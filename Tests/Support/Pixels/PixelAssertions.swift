import FoundationEssentials
public import Testing
public import VitrineImaging

/// Expects that two pictures have the same size, and that no channel of any pixel differs by more than
/// `tolerance`; what is transparent in both may have any colour, and what `isChecked` excludes too.
///
/// On failure the two and their difference, eight times amplified, are written as PNG files into
/// `$VITRINE_TEST_OUTPUT`, or a folder for temporary files, and the failure names them.
public func expectPixels(
    _ image: PixelBuffer, equals expected: PixelBuffer, within tolerance: Int = 0,
    _ comment: String = "", where isChecked: (_ x: Int, _ y: Int) -> Bool = { _, _ in true },
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard image.size == expected.size else {
        Issue.record(
            "\(comment) is \(image.size), not \(expected.size)", sourceLocation: sourceLocation)
        return
    }
    let difference = Difference(image, expected, isChecked)
    guard difference.largest > tolerance else { return }
    let files = difference.write(image, expected, name: comment)
    Issue.record(
        """
        \(comment) differs by up to \(difference.largest), at (\(difference.x), \(difference.y)): \
        \(text(image[difference.x, difference.y])), \
        not \(text(expected[difference.x, difference.y])); see \(files)
        """, sourceLocation: sourceLocation)
}

/// Expects the pixel in column `x` of row `y` to have a colour.
public func expectPixel(
    _ image: PixelBuffer, at x: Int, _ y: Int, equals expected: Pixel, within tolerance: Int = 0,
    _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let pixel = image[x, y] else {
        Issue.record("(\(x), \(y)) is outside \(image.size)", sourceLocation: sourceLocation)
        return
    }
    guard distance(pixel, expected) > tolerance else { return }
    Issue.record(
        "\(comment) at (\(x), \(y)) is \(pixel), not \(expected)", sourceLocation: sourceLocation)
}

/// The largest difference of any channel; 0 between two transparent pixels.
private func distance(_ one: Pixel, _ other: Pixel) -> Int {
    let alpha = abs(Int(one.alpha) - Int(other.alpha))
    if one.alpha == 0, other.alpha == 0 { return 0 }
    return max(
        alpha, abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)),
        abs(Int(one.blue) - Int(other.blue)))
}

private func text(_ pixel: Pixel?) -> String { pixel?.description ?? "nothing" }

/// Where two pictures of one size differ most.
private struct Difference {
    var largest = 0
    var x = 0
    var y = 0

    init(
        _ image: PixelBuffer, _ expected: PixelBuffer, _ isChecked: (_ x: Int, _ y: Int) -> Bool
    ) {
        for y in 0..<image.size.height {
            for x in 0..<image.size.width where isChecked(x, y) {
                guard let one = image[x, y], let other = expected[x, y] else { continue }
                let difference = distance(one, other)
                guard difference > largest else { continue }
                (largest, self.x, self.y) = (difference, x, y)
            }
        }
    }

    func write(_ image: PixelBuffer, _ expected: PixelBuffer, name: String) -> String {
        let amplified = PixelBuffer.drawn(image.size) { x, y in
            guard let one = image[x, y], let other = expected[x, y] else {
                return Pixel(red: 0, green: 0, blue: 0)
            }
            let alpha = abs(Int(one.alpha) - Int(other.alpha))
            func channel(_ path: KeyPath<Pixel, UInt8>) -> UInt8 {
                let difference = abs(Int(one[keyPath: path]) - Int(other[keyPath: path]))
                return UInt8(clamping: max(difference, alpha) * 8)
            }
            return Pixel(
                red: channel(\.red), green: channel(\.green), blue: channel(\.blue))
        }
        let folder =
            ProcessInfo.processInfo.environment["VITRINE_TEST_OUTPUT"].map {
                URL(fileURLWithPath: $0)
            } ?? FileManager.default.temporaryDirectory.appending(path: "vitrine-test-output")
        let readable = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        let stem = "\(readable)-\(UInt32.random(in: 0...UInt32.max))"
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (kind, buffer) in [
                ("expected", expected), ("actual", image), ("difference", amplified),
            ] {
                try RasterImage(buffer).encoded(as: .png)
                    .write(to: folder.appending(path: "\(stem)-\(kind).png"))
            }
        } catch {
            return "nothing, for \(error)"
        }
        return folder.appending(path: "\(stem)-{expected,actual,difference}.png").path
    }
}
