import DeterminismSupport
import PixelSupport
import VitrineImaging

/// An animation as plain lists of pixels, and what each of its frames must look like: the rules of
/// disposal and blending once more, pixel by pixel.
struct DrawnAnimation {
    enum Disposal: UInt8, CaseIterable { case keep, clear, restore }

    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var disposal = Disposal.keep
        var blends = true
        var milliseconds = 50
        var pixels: [Pixel]

        init(
            x: Int = 0, y: Int = 0, width: Int, height: Int, then disposal: Disposal = .keep,
            blends: Bool = true, milliseconds: Int = 50, _ pixels: [Pixel]
        ) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
            self.disposal = disposal
            self.blends = blends
            self.milliseconds = milliseconds
            self.pixels = pixels
        }

        /// One colour everywhere.
        init(
            x: Int = 0, y: Int = 0, width: Int, height: Int, then disposal: Disposal = .keep,
            blends: Bool = true, milliseconds: Int = 50, _ color: Pixel
        ) {
            self.init(
                x: x, y: y, width: width, height: height, then: disposal, blends: blends,
                milliseconds: milliseconds, Array(repeating: color, count: width * height))
        }
    }

    var width: Int
    var height: Int
    var frames: [Frame]
    /// 0 is for ever.
    var plays = 0

    static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)

    /// Each frame as it is seen.
    func shown() -> [PixelBuffer] {
        var canvas = Array(repeating: Self.clear, count: width * height)
        var seen: [PixelBuffer] = []
        for frame in frames {
            let before = canvas
            for row in 0..<frame.height {
                for column in 0..<frame.width {
                    let (x, y) = (frame.x + column, frame.y + row)
                    guard x < width, y < height else { continue }
                    let pixel = frame.pixels[row * frame.width + column]
                    let index = y * width + x
                    canvas[index] = frame.blends ? Self.over(pixel, canvas[index]) : pixel
                }
            }
            let picture = canvas
            seen.append(
                .drawn(PixelSize(width: width, height: height)) { picture[$1 * width + $0] })
            for y in frame.y..<frame.y + frame.height where y < height {
                for x in frame.x..<frame.x + frame.width where x < width {
                    switch frame.disposal {
                    case .keep: break
                    case .clear: canvas[y * width + x] = Self.clear
                    case .restore: canvas[y * width + x] = before[y * width + x]
                    }
                }
            }
        }
        return seen
    }

    private static func over(_ top: Pixel, _ below: Pixel) -> Pixel {
        if top.alpha == 255 || below.alpha == 0 && top.alpha > 0 { return top }
        if top.alpha == 0 { return below }
        let share = Double(top.alpha) / 255
        let rest = Double(below.alpha) / 255 * (1 - share)
        func channel(_ path: KeyPath<Pixel, UInt8>) -> UInt8 {
            let sum = Double(top[keyPath: path]) * share + Double(below[keyPath: path]) * rest
            return UInt8((sum / (share + rest)).rounded())
        }
        return Pixel(
            red: channel(\.red), green: channel(\.green), blue: channel(\.blue),
            alpha: UInt8(((share + rest) * 255).rounded()))
    }

    /// Frames of random size, place, disposal and blending.
    static func random(
        frames: Int, seed: UInt64, colors: [Pixel], disposals: [Disposal] = Disposal.allCases,
        onlyBlends: Bool = false
    ) -> DrawnAnimation {
        var random = SeededRandom(seed: seed)
        var animation = DrawnAnimation(width: 14, height: 10, frames: [])
        for _ in 0..<frames {
            // Even places, for WebP; often the whole picture, for key frames.
            let isWhole = Int.random(in: 0..<4, using: &random) == 0
            let x = isWhole ? 0 : 2 * Int.random(in: 0...5, using: &random)
            let y = isWhole ? 0 : 2 * Int.random(in: 0...3, using: &random)
            let width = isWhole ? 14 : Int.random(in: 1...14 - x, using: &random)
            let height = isWhole ? 10 : Int.random(in: 1...10 - y, using: &random)
            let usable = isWhole && Bool.random(using: &random) ? [colors[0], colors[1]] : colors
            animation.frames.append(
                Frame(
                    x: x, y: y, width: width, height: height,
                    then: disposals.randomElement(using: &random) ?? .keep,
                    blends: onlyBlends || Bool.random(using: &random),
                    (0..<width * height).map { _ in
                        usable.randomElement(using: &random) ?? clear
                    }))
        }
        return animation
    }
}
