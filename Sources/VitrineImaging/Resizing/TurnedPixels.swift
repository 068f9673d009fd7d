/// A picture that is drawn row by row as it is stored, and is upright at once.
///
/// Every write is checked against the bounds of the picture. It lives only as long as the memory is
/// borrowed.
struct TurnedPixels {
    private let memory: UnsafeMutableRawBufferPointer
    private let size: PixelSize
    private let source: PixelSize
    /// Where the first stored pixel is shown, and how far the next one in its row and in its column are.
    private let origin: (x: Int, y: Int)
    private let across: (x: Int, y: Int)
    private let down: (x: Int, y: Int)

    /// The centred part, `size` as shown, of a picture that is stored with the size `source`.
    init(
        _ memory: UnsafeMutableRawBufferPointer, size: PixelSize, orientation: Int,
        source: PixelSize
    ) {
        self.memory = memory
        self.size = size
        self.source = source
        let shown = orientation > 4 ? source.transposed : source
        let (right, bottom) = (shown.width - 1, shown.height - 1)
        // CIPA DC-008, 4.6.4: where row 0 and column 0 are.
        switch orientation {
        case 2: (origin, across, down) = ((right, 0), (-1, 0), (0, 1))
        case 3: (origin, across, down) = ((right, bottom), (-1, 0), (0, -1))
        case 4: (origin, across, down) = ((0, bottom), (1, 0), (0, -1))
        case 5: (origin, across, down) = ((0, 0), (0, 1), (1, 0))
        case 6: (origin, across, down) = ((right, 0), (0, 1), (-1, 0))
        case 7: (origin, across, down) = ((right, bottom), (0, -1), (-1, 0))
        case 8: (origin, across, down) = ((0, bottom), (0, -1), (1, 0))
        default: (origin, across, down) = ((0, 0), (1, 0), (0, 1))
        }
    }

    /// Draws the stored row `row`, opaque: `planes` planes side by side, one is grey and three are red, green
    /// and blue.
    func setRow(_ row: Int, _ samples: UnsafePointer<Float>, planes: Int) {
        let width = source.width
        let (green, blue) = planes == 3 ? (width, 2 * width) : (0, 0)
        let left = (shown.width - size.width) / 2
        let top = (shown.height - size.height) / 2
        var x = origin.x + row * down.x - left
        var y = origin.y + row * down.y - top
        for column in 0..<width {
            if x >= 0, x < size.width, y >= 0, y < size.height {
                let pixel = PackedPixel(
                    red: Self.byte(samples[column]), green: Self.byte(samples[green + column]),
                    blue: Self.byte(samples[blue + column]))
                let offset = (y &* size.width &+ x) &* 4
                if offset <= memory.count - 4 {
                    memory.storeBytes(
                        of: pixel.bytes.littleEndian, toByteOffset: offset, as: UInt32.self)
                }
            }
            x += across.x
            y += across.y
        }
    }

    private var shown: PixelSize { across.x == 0 ? source.transposed : source }

    /// The nearest byte.
    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        let low = value > 0 ? value : 0
        // The sum has no places behind the point: its lowest bits are the number.
        return UInt8(truncatingIfNeeded: ((low < 255 ? low : 255) + 8_388_608).bitPattern)
    }
}
