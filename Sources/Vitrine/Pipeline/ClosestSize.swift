import VitrineImaging

/// Which of several sizes of a picture stands in best for one that is not there.
enum ClosestSize {
    /// The place of the best of `sizes`; nil if there is none.
    ///
    /// One of the same shape first, within 2 %, since another shape is cut out differently. Then the
    /// smallest that has all the pixels that are wanted; if none has, the largest.
    static func best(of sizes: [PixelSize], for wanted: PixelSize) -> Int? {
        sizes.indices.min { rank(sizes[$0], wanted) < rank(sizes[$1], wanted) }
    }

    private static func rank(_ size: PixelSize, _ wanted: PixelSize) -> (Int, Int, Double) {
        let area = Double(size.width) * Double(size.height)
        let isLarge = size.width >= wanted.width && size.height >= wanted.height
        return (hasShape(of: wanted, size) ? 0 : 1, isLarge ? 0 : 1, isLarge ? area : -area)
    }

    private static func hasShape(of wanted: PixelSize, _ size: PixelSize) -> Bool {
        let one = Double(size.width) * Double(wanted.height)
        let other = Double(wanted.width) * Double(size.height)
        // Rounding to whole pixels bends the shape of a small picture more.
        let rounding =
            0.5 / Double(max(1, min(size.width, size.height, wanted.width, wanted.height)))
        return abs(one - other) <= max(one, other) * (0.02 + rounding)
    }
}
