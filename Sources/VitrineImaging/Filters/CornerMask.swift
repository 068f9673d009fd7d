/// Multiplies the alpha of a picture's corners by how much of each pixel lies within a quarter circle.
enum CornerMask {
    /// `frame` with corners of `radius` pixels; at most half of the shorter side.
    static func round(_ frame: PixelBuffer, radius: Double) throws -> PixelBuffer {
        let (width, height) = (frame.size.width, frame.size.height)
        let radius = min(radius, Double(min(width, height)) / 2)
        let extent = Int(radius.rounded(.up))
        guard extent > 0 else { return frame }
        return try PixelBuffer(size: frame.size) { target in
            frame.withUnsafeBytes { target.copyMemory(from: $0) }
            for row in 0..<extent {
                for column in 0..<extent {
                    let share = coverage(column: column, row: row, radius: radius)
                    if share == 256 { break }  // from here on the row is inside
                    // Where the middle column or row belongs to two corners it is met once only.
                    var columns = [column, width - 1 - column]
                    var rows = [row, height - 1 - row]
                    if columns[0] == columns[1] { columns.removeLast() }
                    if rows[0] == rows[1] { rows.removeLast() }
                    for y in rows {
                        for x in columns {
                            let offset = (y * width + x) * 4 + 3
                            target[offset] = UInt8((Int(target[offset]) * share + 128) >> 8)
                        }
                    }
                }
            }
        }
    }

    /// How much of a corner pixel lies inside, in 256ths: the distance of its centre to the arc, which
    /// is taken as straight within a pixel.
    private static func coverage(column: Int, row: Int, radius: Double) -> Int {
        let x = radius - (Double(column) + 0.5)
        let y = radius - (Double(row) + 0.5)
        guard x > 0, y > 0 else { return 256 }
        let inside = radius - (x * x + y * y).squareRoot() + 0.5
        return Int((min(1, max(0, inside)) * 256).rounded())
    }
}

extension PixelBuffer {
    /// The centred part of this size, which is no larger than the whole.
    func cropped(to part: PixelSize) throws -> PixelBuffer {
        guard part != size else { return self }
        let left = (size.width - part.width) / 2
        let top = (size.height - part.height) / 2
        return try PixelBuffer(size: part) { target in
            withUnsafeBytes { source in
                let length = part.width * 4
                for row in 0..<part.height {
                    let start = ((top + row) * size.width + left) * 4
                    UnsafeMutableRawBufferPointer(
                        rebasing: target[row * length..<(row + 1) * length]
                    ).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: source[start..<start + length]))
                }
            }
        }
    }
}
