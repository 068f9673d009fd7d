/// Lays another picture over a picture, such as a badge or a watermark.
///
/// It is drawn pixel for pixel; what of it lies outside is cut off. A hash of its pixels is part of the
/// ``identifier``; it is computed once, when the filter is made, which takes about 9 ms a megabyte.
public struct OverlayFilter: ImageFilter {
    /// The picture that is laid on top.
    public let picture: PixelBuffer
    /// To which edge or corner it sticks.
    public let alignment: ImageAlignment
    /// Points by which it is moved to the right.
    public let x: Double
    /// Points by which it is moved down.
    public let y: Double
    /// From 0, not seen, to 1.
    public let opacity: Double
    private let digest: String

    /// A filter; its numbers are checked when it is applied.
    public init(
        _ picture: PixelBuffer, alignment: ImageAlignment = .center, x: Double = 0, y: Double = 0,
        opacity: Double = 1
    ) {
        self.picture = picture
        self.alignment = alignment
        self.x = x
        self.y = y
        self.opacity = opacity
        digest = picture.digest
    }

    /// For example "overlay(16x16:9f86…,bottomRight,-2.0,-2.0,1.0)", with all 64 digits of the hash.
    public var identifier: String {
        "overlay(\(digest),\(alignment.rawValue),\(x),\(y),\(opacity))"
    }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for an offset that is not finite or too large,
    ///   and for an opacity out of bounds.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let right = try FilterLength.offset(x, scale: scale, name: "x")
        let down = try FilterLength.offset(y, scale: scale, name: "y")
        let opacity = try FilterLength.number(opacity, in: Self.bounds, name: "opacity")
        let strength = UInt32((opacity * 255).rounded())
        let origin = alignment.origin(of: picture.size, in: frame.size)
        let (left, top) = (origin.left + right, origin.top + down)
        let columns = Self.overlap(left, picture.size.width, frame.size.width)
        let rows = Self.overlap(top, picture.size.height, frame.size.height)
        guard strength > 0, !columns.isEmpty, !rows.isEmpty else { return frame }
        return try frame.transformed(isOpaque: frame.isOpaque ? true : nil) { source, target in
            _ = target.update(from: source)
            picture.withWords { above in
                for row in rows {
                    // Positions of the row's first pixel in both pictures.
                    let start = row * frame.size.width + columns.lowerBound
                    let first = (row - top) * picture.size.width + columns.lowerBound - left
                    if frame.isOpaque {
                        for index in 0..<columns.count {
                            target[start &+ index] = Compositing.overOpaque(
                                Self.faded(above[first &+ index], strength), source[start &+ index])
                        }
                    } else {
                        for index in 0..<columns.count {
                            target[start &+ index] = Compositing.over(
                                Self.faded(above[first &+ index], strength), source[start &+ index])
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func faded(_ word: UInt32, _ strength: UInt32) -> UInt32 {
        word & 0xFF_FFFF | dividedBy255((word >> 24) &* strength) << 24
    }

    static let bounds = 0.0...1.0

    /// The part of `start..<start + length` that lies within `0..<side`.
    private static func overlap(_ start: Int, _ length: Int, _ side: Int) -> Range<Int> {
        let first = min(side, max(0, start))
        return first..<max(first, min(side, start + length))
    }
}

extension ImageFilter where Self == OverlayFilter {
    /// Another picture over this one, at an edge or corner and moved by points.
    public static func overlay(
        _ picture: PixelBuffer, alignment: ImageAlignment = .center, x: Double = 0, y: Double = 0,
        opacity: Double = 1
    ) -> OverlayFilter {
        OverlayFilter(picture, alignment: alignment, x: x, y: y, opacity: opacity)
    }
}
