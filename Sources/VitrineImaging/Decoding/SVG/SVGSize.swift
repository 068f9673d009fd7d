/// How large an SVG is by itself (SVG 2, 8.2 and CSS Images Module Level 3, 5.2).
struct SVGSize: Equatable {
    /// In pixels of CSS.
    var width: Double
    var height: Double
    /// The part of its own coordinates that it shows; nil if that is its size.
    var viewBox: [Double]?

    /// What is missing comes from the aspect of the view box, else from its size, else it is 300 × 150.
    init(width: String?, height: String?, viewBox: String?) {
        let box = viewBox.flatMap { SVGNumbers.list($0) }
            .flatMap { $0.count == 4 && $0[2] > 0 && $0[3] > 0 ? $0 : nil }
        self.viewBox = box
        switch (SVGNumbers.length(width), SVGNumbers.length(height), box) {
        case (let width?, let height?, _): (self.width, self.height) = (width, height)
        case (let width?, nil, let box?):
            (self.width, self.height) = (width, width * box[3] / box[2])
        case (nil, let height?, let box?):
            (self.width, self.height) = (height * box[2] / box[3], height)
        case (nil, nil, let box?): (self.width, self.height) = (box[2], box[3])
        case (let width, let height, nil):
            (self.width, self.height) = (width ?? 300, height ?? 150)
        }
    }

    /// In whole pixels, at least one.
    var pixelSize: PixelSize {
        PixelSize(width: Self.whole(width), height: Self.whole(height))
    }

    private static func whole(_ value: Double) -> Int {
        guard value < 1e9 else { return 1_000_000_000 }
        return max(1, Int(value.rounded()))
    }
}
