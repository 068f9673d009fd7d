import VitrineImaging

/// Which part of a picture is seen in an area, and how large: a pure value.
///
/// The picture is never smaller than it is when all of it is seen, nor so large that a pixel of it covers
/// more than 16 (more where even that shows it smaller than the area). Where it is smaller than the area it
/// is in the middle, where it is larger no edge of it comes into the area. Numbers that are none change
/// nothing.
struct ZoomViewport: Sendable, Hashable {
    /// In logical pixels, as the picture is at a scale of 1.
    private(set) var picture = PointSize(width: 0, height: 0)
    /// In logical pixels.
    private(set) var area = PointSize(width: 0, height: 0)
    /// Logical pixels of the area for each of the picture.
    private(set) var scale = 1.0
    /// Whether all of the picture is seen, whatever becomes of the area.
    private(set) var isFitted = true
    /// What lies in the middle of the area, as parts of the picture's sides.
    private var centerX = 0.5
    private var centerY = 0.5

    /// All of the picture is seen at this scale; a small one is not made larger.
    var fittedScale: Double {
        guard Self.isSize(picture), Self.isSize(area) else { return 1 }
        let scale = min(area.width / picture.width, area.height / picture.height, 1)
        return scale > 0 ? scale : 1
    }

    var largestScale: Double { max(16, fittedScale) }

    /// Where the picture lies in the area; nil if one of them has no size.
    var rectangle: ContentFit.Rectangle? {
        guard Self.isSize(picture), Self.isSize(area) else { return nil }
        let width = picture.width * scale
        let height = picture.height * scale
        guard width.isFinite, height.isFinite else { return nil }
        return ContentFit.Rectangle(
            x: area.width / 2 - centerX * width, y: area.height / 2 - centerY * height,
            width: width, height: height)
    }

    // MARK: - Events

    /// The area has another size; what is in its middle stays there.
    mutating func resize(to size: PointSize) {
        guard Self.isSize(size), size != area else { return }
        area = size
        settle()
    }

    /// There is a picture of another size. A better one of the same shape takes the place of this one.
    mutating func replacePicture(size: PointSize) {
        guard Self.isSize(size), size != picture else { return }
        if !isFitted, Self.isSize(picture) {
            let ratio = picture.width / size.width
            if ratio.isFinite, ratio > 0 { scale *= ratio }
        }
        picture = size
        settle()
    }

    /// All of the picture is seen.
    mutating func fit() {
        isFitted = true
        settle()
    }

    /// The picture is shown at a scale; what is at the point stays there.
    mutating func zoom(to scale: Double, x: Double, y: Double) {
        guard scale.isFinite, scale > 0, x.isFinite, y.isFinite, let before = rectangle else {
            return
        }
        let wanted = min(max(scale, fittedScale), largestScale)
        guard wanted != self.scale else { return }
        let partX = (x - before.x) / before.width
        let partY = (y - before.y) / before.height
        self.scale = wanted
        isFitted = wanted == fittedScale
        centerX = partX + (area.width / 2 - x) / (picture.width * wanted)
        centerY = partY + (area.height / 2 - y) / (picture.height * wanted)
        settle()
    }

    /// The same about the middle of the area.
    mutating func zoom(to scale: Double) {
        zoom(to: scale, x: area.width / 2, y: area.height / 2)
    }

    /// The picture is moved, in logical pixels; to the right and downwards is positive.
    mutating func pan(x: Double, y: Double) {
        guard x.isFinite, y.isFinite, let rectangle else { return }
        centerX -= x / rectangle.width
        centerY -= y / rectangle.height
        settle()
    }

    /// Between all of the picture and a scale at which there is more to see: 1, or twice the fitted one.
    mutating func toggle(x: Double, y: Double) {
        guard isFitted else { return fit() }
        zoom(to: fittedScale < 1 ? 1 : 2 * fittedScale, x: x, y: y)
    }

    /// Whether there is more of the picture in this direction; then moving it changes what is seen.
    func canPan(x: Double, y: Double) -> Bool {
        var moved = self
        moved.pan(x: x, y: y)
        return moved != self
    }

    private mutating func settle() {
        guard Self.isSize(picture), Self.isSize(area) else { return }
        if isFitted { scale = fittedScale }
        scale = min(max(scale, fittedScale), largestScale)
        centerX = Self.settled(centerX, picture.width * scale, area.width)
        centerY = Self.settled(centerY, picture.height * scale, area.height)
    }

    /// The middle of the area as a part of the picture's side, so that no edge comes into the area.
    private static func settled(_ center: Double, _ length: Double, _ area: Double) -> Double {
        guard length > area, center.isFinite else { return 0.5 }
        let margin = area / 2 / length
        return min(max(center, margin), 1 - margin)
    }

    private static func isSize(_ size: PointSize) -> Bool {
        size.width > 0 && size.height > 0 && size.width.isFinite && size.height.isFinite
    }
}
