import PixelSupport
import Testing
import VitrineImaging

/// Background, overlay and premultiplied pixels against source-over in floating point.
@Suite struct CompositingFilterTests {
    private func over(_ above: Pixel, _ below: Pixel, opacity: Double = 1) -> Pixel {
        let upper = (Double(above.alpha) * opacity).rounded() / 255
        let lower = Double(below.alpha) / 255 * (1 - upper)
        let alpha = upper + lower
        guard alpha > 0 else { return .clear }
        func level(_ path: KeyPath<Pixel, UInt8>) -> UInt8 {
            let sum = Double(above[keyPath: path]) * upper + Double(below[keyPath: path]) * lower
            return UInt8((sum / alpha).rounded())
        }
        return Pixel(
            red: level(\.red), green: level(\.green), blue: level(\.blue),
            alpha: UInt8((alpha * 255).rounded()))
    }

    @Test("F8: a background lies under the picture", arguments: ["ffffff", "10203080", "ff000001"])
    func background(hex: String) throws {
        let color = try #require(Pixel(hex: hex))
        let frame = FilterSamples.noise(40, 30)
        let image = try BackgroundFilter(color: color).apply(to: frame, scale: 1)
        expectPixels(
            image, equals: .drawn(frame.size) { over(frame[$0, $1] ?? .clear, color) }, within: 1,
            "background \(hex)")
        #expect(image.isOpaque == (color.alpha == 255))
        let opaque = FilterSamples.noise(4, 4, opaque: true)
        #expect(try BackgroundFilter(color: color).apply(to: opaque, scale: 1) === opaque)
    }

    @Test("F8: an overlay is placed, cut off and faded", arguments: ImageAlignment.allCases)
    func overlay(alignment: ImageAlignment) throws {
        let badge = FilterSamples.noise(7, 5, seed: 9)
        for (width, height) in [(20, 12), (21, 13), (4, 3), (1, 1), (7, 5)] {
            for opaque in [true, false] {
                let frame = FilterSamples.noise(width, height, opaque: opaque)
                for (x, y, opacity) in [
                    (0, 0, 1), (1.5, -2, 1), (-3, 4.5, 0.5), (50, 0, 1), (0, -50, 1),
                ] as [(Double, Double, Double)] {
                    let filter = OverlayFilter(
                        badge, alignment: alignment, x: x, y: y, opacity: opacity)
                    let image = try filter.apply(to: frame, scale: 2)
                    let name = alignment.rawValue.lowercased()
                    let across = Double(width - 7)
                    let down = Double(height - 5)
                    let left =
                        (name.hasSuffix("left")
                            ? 0 : name.hasSuffix("right") ? across : (across / 2).rounded(.down))
                        + x * 2
                    let top =
                        (name.hasPrefix("top")
                            ? 0 : name.hasPrefix("bottom") ? down : (down / 2).rounded(.down))
                        + y * 2
                    let reference = PixelBuffer.drawn(frame.size) { column, row in
                        let below = frame[column, row] ?? .clear
                        guard let above = badge[column - Int(left), row - Int(top)] else {
                            return below
                        }
                        return over(above, below, opacity: opacity)
                    }
                    expectPixels(image, equals: reference, within: 1, "\(alignment) \(x) \(y)")
                    #expect(image.isOpaque == opaque || !opaque)
                }
            }
        }
    }

    @Test("F8: an overlay that is not seen changes nothing") func unseen() throws {
        let frame = FilterSamples.noise(9, 9)
        let badge = FilterSamples.noise(3, 3)
        #expect(try OverlayFilter(badge, opacity: 0).apply(to: frame, scale: 1) === frame)
        #expect(try OverlayFilter(badge, x: 100).apply(to: frame, scale: 1) === frame)
        #expect(try OverlayFilter(badge, y: -10_000_000).apply(to: frame, scale: 1) === frame)
    }

    @Test("F8, F6: the pixels of an overlay are part of its identifier") func identity() {
        let picture = FilterSamples.noise(4, 4)
        let other = PixelBuffer.drawn(picture.size) { x, y in
            var pixel = picture[x, y] ?? .clear
            if x == 3, y == 3 { pixel.blue ^= 1 }
            return pixel
        }
        var bytes: [Pixel] = []
        for y in 0..<4 { for x in 0..<4 { bytes.append(picture[x, y] ?? .clear) } }
        // The same bytes in another shape.
        let long = PixelBuffer.drawn(PixelSize(width: 8, height: 2)) { bytes[$1 * 8 + $0] }
        let names = [picture, other, long].map { OverlayFilter($0).identifier }
        #expect(Set(names).count == 3)
        #expect(names[0] == OverlayFilter(FilterSamples.noise(4, 4)).identifier)
        #expect(names[0].hasPrefix("overlay(4x4:"))
        #expect(names[0].hasSuffix(",center,0.0,0.0,1.0)"))
    }

    @Test("F4: premultiplied pixels are rounded to the nearest, for every level and alpha")
    func premultiplied() throws {
        let frame = PixelBuffer.drawn(PixelSize(width: 256, height: 256)) { x, y in
            Pixel(red: UInt8(x), green: UInt8(255 - x), blue: UInt8(x ^ 85), alpha: UInt8(y))
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 1)
        defer { memory.deallocate() }
        try frame.copyPremultiplied(into: memory)
        var wrong = 0
        for y in 0..<256 {
            for x in 0..<256 {
                let start = (y * 256 + x) * 4
                for (channel, level) in [x, 255 - x, x ^ 85].enumerated() {
                    let exact = UInt8((Double(level * y) / 255).rounded())
                    if memory[start + channel] != exact { wrong += 1 }
                }
                if memory[start + 3] != UInt8(y) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(throws: ImagingError.self) {
            try frame.copyPremultiplied(into: UnsafeMutableRawBufferPointer(rebasing: memory[4...]))
        }
        let opaque = FilterSamples.noise(3, 3, opaque: true)
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<36])
        try opaque.copyPremultiplied(into: part)
        #expect(opaque.withUnsafeBytes { $0.elementsEqual(part) })
    }
}
