extension TargetSize {
    /// The size that a picture of `source` has at this target; nil if a side of either is not positive.
    package func result(of source: PixelSize) -> PixelSize? {
        let sides =
            switch self {
            case .fit(let width, let height), .fill(let width, let height): min(width, height)
            case .maximum(let side): side
            }
        guard min(sides, source.width, source.height) > 0 else { return nil }
        return ResizePlan(self, source: source).result
    }
}
