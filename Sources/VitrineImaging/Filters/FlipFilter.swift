/// Mirrors a picture.
public struct FlipFilter: ImageFilter, Hashable {
    /// In which direction pixels move.
    public enum Axis: String, Sendable, Hashable, CaseIterable {
        /// Left becomes right.
        case horizontal
        /// Top becomes bottom.
        case vertical
    }

    /// In which direction pixels move.
    public let axis: Axis

    /// A filter.
    public init(axis: Axis) {
        self.axis = axis
    }

    /// For example "flip(horizontal)".
    public var identifier: String { "flip(\(axis.rawValue))" }

    /// - Throws: ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let (width, height) = (frame.size.width, frame.size.height)
        return try frame.transformed(isOpaque: frame.isOpaque) { source, target in
            switch axis {
            case .horizontal:
                for start in stride(from: 0, to: target.count, by: width) {
                    for column in 0..<width {
                        target[start &+ column] = source[start &+ width &- 1 &- column]
                    }
                }
            case .vertical:
                for row in 0..<height {
                    PixelBuffer.copy(
                        width, from: source, (height - 1 - row) * width, to: target, row * width)
                }
            }
        }
    }
}

extension ImageFilter where Self == FlipFilter {
    /// Mirrored in a direction.
    public static func flip(_ axis: FlipFilter.Axis) -> FlipFilter {
        FlipFilter(axis: axis)
    }
}
