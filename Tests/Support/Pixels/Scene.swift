public import VitrineImaging

/// The picture that most fixtures show, drawn anew: red, green, blue and yellow quadrants, and a white
/// marker in the first one. The same numbers are in `Fixtures/make.py`.
public enum Scene {
    public static let size = PixelSize(width: 96, height: 64)
    public static let colors = [
        Pixel(red: 220, green: 30, blue: 40), Pixel(red: 30, green: 170, blue: 60),
        Pixel(red: 40, green: 70, blue: 210), Pixel(red: 240, green: 200, blue: 40),
    ]

    /// Opaque.
    public static let plain = PixelBuffer.drawn(size) { x, y in
        isMarker(x, y) ? Pixel(red: 255, green: 255, blue: 255) : colors[quadrant(x, y)]
    }

    /// With a transparent marker and a half transparent yellow.
    public static let alpha = PixelBuffer.drawn(size) { x, y in
        var pixel = isMarker(x, y) ? Pixel(red: 255, green: 255, blue: 255) : colors[quadrant(x, y)]
        pixel.alpha = isMarker(x, y) ? 0 : quadrant(x, y) == 3 ? 128 : 255
        return pixel
    }

    public static func isMarker(_ x: Int, _ y: Int) -> Bool {
        (8..<32).contains(x) && (8..<16).contains(y)
    }

    /// Whether no edge is within three pixels; lossy formats that keep colours at half the size blur
    /// the edges.
    public static func isPlain(_ x: Int, _ y: Int) -> Bool {
        for (dx, dy) in [(-3, -3), (3, -3), (-3, 3), (3, 3)] {
            guard isMarker(x, y) == isMarker(x + dx, y + dy),
                quadrant(x, y) == quadrant(x + dx, y + dy)
            else { return false }
        }
        return true
    }

    public static func quadrant(_ x: Int, _ y: Int) -> Int {
        (x < size.width / 2 ? 0 : 1) + (y < size.height / 2 ? 0 : 2)
    }
}

extension PixelBuffer {
    /// A picture whose pixels `color` tells.
    public static func drawn(
        _ size: PixelSize, _ color: (_ x: Int, _ y: Int) -> Pixel
    ) -> PixelBuffer {
        var opaque = true
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let pixel = color(x, y)
                bytes += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
                if pixel.alpha != 255 { opaque = false }
            }
        }
        do {
            return try PixelBuffer(size: size, isOpaque: opaque) { $0.copyBytes(from: bytes) }
        } catch {
            fatalError("A test drew a picture of \(size): \(error)")
        }
    }

    /// One colour everywhere.
    public static func solid(_ color: Pixel, width: Int, height: Int) -> PixelBuffer {
        drawn(PixelSize(width: width, height: height)) { _, _ in color }
    }
}
