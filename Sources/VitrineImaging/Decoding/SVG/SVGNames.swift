/// What of SVG 1.1 and 2 is rendered: known names, each of known cost. Everything else is left out or
/// refused; nothing reaches librsvg that is not named here.
enum SVGNames {
    enum Element {
        /// Draws what is in it.
        case container
        /// Draws nothing where it stands, but where it is referred to.
        case definition
        case gradient
        case stop
        case use
        case path
        case points
        /// A basic shape, which crosses a line at most so many times.
        case shape(edges: Double)
        case text
        case styleSheet
        case image
        case pattern
        /// Left out with all that is in it: no mark on the picture comes from it.
        case leftOut
    }

    static func element(_ name: String) -> Element {
        switch name {
        case "svg", "g", "a", "switch": .container
        case "defs", "symbol", "clipPath", "mask", "marker": .definition
        case "linearGradient", "radialGradient": .gradient
        case "stop": .stop
        case "use": .use
        case "path": .path
        case "polygon", "polyline": .points
        case "rect": .shape(edges: 12)
        case "circle", "ellipse": .shape(edges: 12)
        case "line": .shape(edges: 4)
        case "text", "tspan": .text
        case "style": .styleSheet
        case "image", "feImage": .image
        case "pattern": .pattern
        default: .leftOut
        }
    }

    /// Lengths whose greatness bounds how long a shape's outline is.
    static let extents: Set<String> = [
        "x", "y", "width", "height", "rx", "ry", "r", "cx", "cy", "x1", "y1", "x2", "y2",
    ]

    /// Attributes that are no properties of CSS and refer to nothing.
    static let attributes: Set<String> = extents.union([
        "clipPathUnits", "dx", "dy", "fr", "fx", "fy", "gradientTransform", "gradientUnits", "id",
        "lengthAdjust", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
        "maskUnits",
        "offset", "orient", "preserveAspectRatio", "refX", "refY", "requiredExtensions",
        "requiredFeatures", "rotate", "spreadMethod", "systemLanguage", "textLength", "transform",
        "version", "viewBox",
    ])

    /// Properties of CSS whose values refer to nothing.
    static let properties: Set<String> = [
        "alignment-baseline", "baseline-shift", "clip-rule", "color", "color-interpolation",
        "direction", "display", "dominant-baseline", "fill-opacity", "fill-rule", "font",
        "font-family", "font-size", "font-stretch", "font-style", "font-variant", "font-weight",
        "image-rendering", "isolation", "letter-spacing", "mask-type", "mix-blend-mode", "opacity",
        "overflow", "paint-order", "shape-rendering", "stop-color", "stop-opacity",
        "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
        "stroke-opacity", "stroke-width", "text-anchor", "text-decoration", "text-rendering",
        "transform", "unicode-bidi", "vector-effect", "visibility", "white-space", "word-spacing",
        "writing-mode",
    ]
}
