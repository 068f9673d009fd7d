/// What red, green, blue and white are, as CIE 1931 x and y (ITU-T H.273, table 2).
struct ChromaticPrimaries: Equatable {
    typealias Point = SIMD2<Double>

    let red: Point
    let green: Point
    let blue: Point
    let white: Point

    private static let d65 = Point(0.3127, 0.3290)
    private static let c = Point(0.310, 0.316)

    /// Those of sRGB and BT.709.
    static let sRGB = ChromaticPrimaries(
        red: Point(0.64, 0.33), green: Point(0.30, 0.60), blue: Point(0.15, 0.06), white: d65)

    /// Those of a code point; nil if it does not tell.
    static func of(codePoint: Int) -> ChromaticPrimaries? {
        switch codePoint {
        case 1: sRGB
        case 4: made(0.67, 0.33, 0.21, 0.71, 0.14, 0.08, c)
        case 5: made(0.64, 0.33, 0.29, 0.60, 0.15, 0.06, d65)
        case 6, 7: made(0.630, 0.340, 0.310, 0.595, 0.155, 0.070, d65)
        case 8: made(0.681, 0.319, 0.243, 0.692, 0.145, 0.049, c)
        case 9: made(0.708, 0.292, 0.170, 0.797, 0.131, 0.046, d65)
        case 10: made(1, 0, 0, 1, 0, 0, Point(1 / 3, 1 / 3))
        case 11: made(0.680, 0.320, 0.265, 0.690, 0.150, 0.060, Point(0.314, 0.351))
        case 12: made(0.680, 0.320, 0.265, 0.690, 0.150, 0.060, d65)
        case 22: made(0.630, 0.340, 0.295, 0.605, 0.155, 0.077, d65)
        default: nil
        }
    }

    private static func made(
        _ redX: Double, _ redY: Double, _ greenX: Double, _ greenY: Double, _ blueX: Double,
        _ blueY: Double, _ white: Point
    ) -> ChromaticPrimaries {
        ChromaticPrimaries(
            red: Point(redX, redY), green: Point(greenX, greenY), blue: Point(blueX, blueY),
            white: white)
    }

    /// Linear light of these primaries to CIE XYZ, white at a luminance of 1. The second row is what
    /// each adds to the luminance.
    var toXYZ: Matrix3 {
        let columns = Matrix3(Self.xyz(red), Self.xyz(green), Self.xyz(blue)).transposed
        let shares = columns.inverse * Self.xyz(white)
        return columns * Matrix3(diagonal: shares)
    }

    /// Linear light of these primaries to linear light of sRGB's; whites go to white by Bradford's
    /// adaptation (ICC.1:2022, annex E).
    var toSRGB: Matrix3 {
        Self.sRGB.toXYZ.inverse * Self.adaptation(from: white, to: Self.d65) * toXYZ
    }

    private static func adaptation(from: Point, to: Point) -> Matrix3 {
        let cones = Matrix3(
            [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
        let gains = (cones * xyz(to)) / (cones * xyz(from))
        return cones.inverse * Matrix3(diagonal: gains) * cones
    }

    /// CIE XYZ at Y = 1; of a point without luminance its direction only.
    private static func xyz(_ point: Point) -> SIMD3<Double> {
        point.y == 0
            ? [point.x, 0, 1 - point.x] : [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }
}

/// Three rows of three numbers.
struct Matrix3: Equatable {
    let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = (first, second, third)
    }

    init(diagonal: SIMD3<Double>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    static func == (one: Matrix3, other: Matrix3) -> Bool { one.rows == other.rows }

    static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        [
            (matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(),
            (matrix.rows.2 * vector).sum(),
        ]
    }

    static func * (one: Matrix3, other: Matrix3) -> Matrix3 {
        let columns = other.transposed.rows
        return Matrix3(one * columns.0, one * columns.1, one * columns.2).transposed
    }

    var transposed: Matrix3 {
        Matrix3(
            [rows.0.x, rows.1.x, rows.2.x], [rows.0.y, rows.1.y, rows.2.y],
            [rows.0.z, rows.1.z, rows.2.z])
    }

    /// By cross products; the matrices here all have one.
    var inverse: Matrix3 {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
        }
        let (a, b, c) = rows
        let determinant = (a * cross(b, c)).sum()
        return Matrix3(
            cross(b, c) / determinant, cross(c, a) / determinant, cross(a, b) / determinant
        ).transposed
    }
}
