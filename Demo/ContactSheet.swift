import FoundationEssentials
import VitrineImaging

/// Tiles in rows on a dark ground.
struct ContactSheet {
    struct Tile {
        let image: RasterImage
        let shape: SheetPlan.Shape
    }

    private static let width = 1328
    private static let gap = 16
    private static let margin = 40

    private let rows: [[Tile]]

    init(_ rows: [[Tile]]) { self.rows = rows.filter { !$0.isEmpty } }

    /// The sheet as a PNG file.
    func png() throws -> Data {
        let heights = rows.map { $0.map(\.shape.cell.height).max() ?? 0 }
        var canvas = Canvas(
            size: PixelSize(
                width: Self.width + 2 * Self.margin,
                height: heights.reduce(2 * Self.margin - Self.gap) { $0 + $1 + Self.gap }),
            color: Pixel(red: 24, green: 26, blue: 32))
        let panel = try panel(SheetPlan.Shape.whole.cell)
        var y = Self.margin
        for (row, height) in zip(rows, heights) {
            var x = Self.margin
            for tile in row {
                let cell = tile.shape.cell
                if tile.shape == .whole { canvas.draw(panel, x, y) }
                let size = tile.image.pixelSize
                canvas.draw(
                    tile.image.posterFrame, x + (cell.width - size.width) / 2,
                    y + (cell.height - size.height) / 2)
                x += cell.width + Self.gap
            }
            y += height + Self.gap
        }
        return try RasterImage(canvas.pixels()).encoded(as: .png)
    }

    /// A checked ground with rounded corners, for what can be seen through.
    private func panel(_ size: PixelSize) throws -> PixelBuffer {
        let frame = try PixelBuffer(size: size, isOpaque: true) { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let shade: UInt8 = (x / 16 + y / 16) % 2 == 0 ? 236 : 210
                    let offset = (y * size.width + x) * 4
                    for band in 0..<3 { bytes[offset + band] = shade }
                    bytes[offset + 3] = 255
                }
            }
        }
        return try RasterImage(frame).applying(.roundedCorners(radius: 18)).posterFrame
    }
}

/// Opaque pixels to draw on.
private struct Canvas {
    private let size: PixelSize
    private var bytes: [UInt8]

    init(size: PixelSize, color: Pixel) {
        self.size = size
        bytes = []
        bytes.reserveCapacity(size.width * size.height * 4)
        for _ in 0..<size.width * size.height {
            bytes += [color.red, color.green, color.blue, 255]
        }
    }

    /// Lays a picture over what is there; what stands out is cut off.
    mutating func draw(_ picture: PixelBuffer, _ left: Int, _ top: Int) {
        picture.withUnsafeBytes { source in
            for y in max(0, -top)..<max(0, -top, min(picture.size.height, size.height - top)) {
                for x in max(0, -left)..<max(0, -left, min(picture.size.width, size.width - left)) {
                    let from = (y * picture.size.width + x) * 4
                    let to = ((y + top) * size.width + x + left) * 4
                    let alpha = Int(source[from + 3])
                    for band in 0..<3 {
                        let sum =
                            Int(source[from + band]) * alpha + Int(bytes[to + band]) * (255 - alpha)
                        bytes[to + band] = UInt8((sum + 127) / 255)
                    }
                }
            }
        }
    }

    func pixels() throws -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: true) { $0.copyBytes(from: bytes) }
    }
}
