public import Vitrine

/// Small pictures for tests, drawn when they are needed, so that no files have to be kept.
public enum TestPicture {
    /// One colour all over, as the bytes of a PNG file.
    ///
    /// - Throws: `ImagingError` if a side is not positive or there is no memory for it.
    public static func solid(
        _ color: Pixel = Pixel(red: 200, green: 60, blue: 40), width: Int = 16, height: Int = 16
    ) throws -> Data {
        try png(width: width, height: height) { _, _ in color }
    }

    /// From one colour at the left edge to another one at the right edge, as the bytes of a PNG file.
    ///
    /// - Throws: `ImagingError` if a side is not positive or there is no memory for it.
    public static func gradient(
        from left: Pixel = Pixel(red: 0, green: 0, blue: 0),
        to right: Pixel = Pixel(red: 255, green: 255, blue: 255), width: Int = 16, height: Int = 16
    ) throws -> Data {
        try png(width: width, height: height) { x, _ in
            let share = width > 1 ? Double(x) / Double(width - 1) : 0
            func between(_ from: UInt8, _ to: UInt8) -> UInt8 {
                UInt8((Double(from) + (Double(to) - Double(from)) * share).rounded())
            }
            return Pixel(
                red: between(left.red, right.red), green: between(left.green, right.green),
                blue: between(left.blue, right.blue), alpha: between(left.alpha, right.alpha))
        }
    }

    /// Any picture, as the bytes of a PNG file: `pixel` is asked for each column and row, counted
    /// from the top left.
    ///
    /// - Throws: `ImagingError` if a side is not positive or there is no memory for it.
    public static func png(
        width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel
    ) throws -> Data {
        let size = PixelSize(width: width, height: height)
        var isOpaque = true
        let buffer = try PixelBuffer(size: size, isOpaque: false) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = pixel(x, y)
                    let offset = (y * width + x) * 4
                    bytes[offset] = color.red
                    bytes[offset + 1] = color.green
                    bytes[offset + 2] = color.blue
                    bytes[offset + 3] = color.alpha
                    if color.alpha != 255 { isOpaque = false }
                }
            }
        }
        guard isOpaque else { return try RasterImage(buffer).encoded(as: .png) }
        let opaque = try PixelBuffer(size: size, isOpaque: true) { bytes in
            buffer.withUnsafeBytes { bytes.copyMemory(from: $0) }
        }
        return try RasterImage(opaque).encoded(as: .png)
    }
}
