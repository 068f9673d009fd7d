import Glibc
import PixelSupport
import Testing
import VitrineImaging

/// Blur and what is made with it, against slow, direct formulas in floating point.
@Suite struct BlurFilterTests {
    /// Premultiplied samples of a picture, and how to get them beyond its edges.
    private struct Plane {
        var width: Int
        var height: Int
        var samples: [[Double]]

        init(_ frame: PixelBuffer) {
            width = frame.size.width
            height = frame.size.height
            samples = []
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = frame[x, y] ?? .clear
                    let alpha = Double(pixel.alpha)
                    samples.append([
                        Double(pixel.red) * alpha, Double(pixel.green) * alpha,
                        Double(pixel.blue) * alpha, alpha,
                    ])
                }
            }
        }

        /// One weighted sum along an axis, with weights for −n…n.
        mutating func convolve(_ weights: [Double], across: Bool) {
            let reach = weights.count / 2
            let source = samples
            for y in 0..<height {
                for x in 0..<width {
                    var sum = [0.0, 0, 0, 0]
                    for (index, weight) in weights.enumerated() {
                        let offset = index - reach
                        let column = across ? min(width - 1, max(0, x + offset)) : x
                        let row = across ? y : min(height - 1, max(0, y + offset))
                        for channel in 0..<4 {
                            sum[channel] += weight * source[row * width + column][channel]
                        }
                    }
                    samples[y * width + x] = sum
                }
            }
        }

        var image: PixelBuffer {
            .drawn(PixelSize(width: width, height: height)) { x, y in
                let sample = samples[y * width + x]
                guard sample[3] >= 0.5 else { return .clear }
                func level(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value)).rounded()) }
                return Pixel(
                    red: level(sample[0] / sample[3]), green: level(sample[1] / sample[3]),
                    blue: level(sample[2] / sample[3]), alpha: level(sample[3]))
            }
        }
    }

    /// A box with a share of one more pixel on both sides whose variance is a third of deviation².
    private func box(_ deviation: Double) -> [Double] {
        let variance = deviation * deviation / 3
        // The largest whole box with no more variance: (n² − 1) / 12.
        var reach = 0
        while Double((2 * reach + 3) * (2 * reach + 3) - 1) / 12 <= variance { reach += 1 }
        // Find the share by bisection: variance grows with it.
        func weights(_ share: Double) -> [Double] {
            let all = [share] + [Double](repeating: 1, count: 2 * reach + 1) + [share]
            let sum = all.reduce(0, +)
            return all.map { $0 / sum }
        }
        func spread(_ weights: [Double]) -> Double {
            weights.enumerated().reduce(0) {
                let offset = Double($1.offset - reach - 1)
                return $0 + $1.element * offset * offset
            }
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if spread(weights(middle)) < variance { low = middle } else { high = middle }
        }
        return weights(low)
    }

    @Test(
        "F3: blur is three boxes along each axis, exactly",
        arguments: [0.2, 0.5, 0.9, 1.7, 2, 5, 40])
    func boxes(deviation: Double) throws {
        for opaque in [true, false] {
            for (width, height) in [(1, 1), (1, 9), (8, 8), (9, 7), (19, 17)] {
                let frame = FilterSamples.noise(width, height, opaque: opaque)
                let image = try BlurFilter(radius: deviation).apply(to: frame, scale: 1)
                var plane = Plane(frame)
                let weights = box(deviation)
                for across in [true, false] {
                    for _ in 0..<3 { plane.convolve(weights, across: across) }
                }
                #expect(image.isOpaque == opaque || !opaque)
                // Where nearly nothing is seen, colours have few bits.
                let reference = plane.image
                expectPixels(
                    image, equals: reference, within: 1, "blur \(deviation) of \(frame.size)"
                ) { x, y in (reference[x, y]?.alpha ?? 0) >= 8 }
                expectPixels(
                    image, equals: reference, within: 4, "blur \(deviation) of \(frame.size)")
            }
        }
    }

    @Test("F3: blur comes close to the Gaussian", arguments: [0.8, 1.5, 3, 5])
    func gaussian(deviation: Double) throws {
        let frame = FilterSamples.noise(56, 50, opaque: true)
        let reach = Int((deviation * 4).rounded(.up))
        let raw = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = raw.reduce(0, +)
        var plane = Plane(frame)
        plane.convolve(raw.map { $0 / sum }, across: true)
        plane.convolve(raw.map { $0 / sum }, across: false)
        let image = try BlurFilter(radius: deviation).apply(to: frame, scale: 1)
        // White noise is the worst case, and small kernels are the coarsest. Not at the edges, where
        // three passes count more of the nearest pixel than one does.
        let margin = Int(deviation * 3) + 4
        let tolerance = deviation < 1 ? 12 : 6
        expectPixels(image, equals: plane.image, within: tolerance, "Gauss \(deviation)") { x, y in
            (margin..<56 - margin).contains(x) && (margin..<50 - margin).contains(y)
        }
    }

    @Test("F3, F11: the radius of a blur is in points") func points() throws {
        let frame = FilterSamples.noise(20, 12)
        expectPixels(
            try BlurFilter(radius: 1.25).apply(to: frame, scale: 2),
            equals: try BlurFilter(radius: 2.5).apply(to: frame, scale: 1))
    }

    @Test("F3: a blurred picture of one colour is that picture", arguments: [0.3, 4, 100, 16_000])
    func constant(radius: Double) throws {
        for alpha: UInt8 in [255, 128, 3, 1] {
            let frame = PixelBuffer.solid(
                Pixel(red: 255, green: 17, blue: 128, alpha: alpha), width: 13, height: 9)
            let image = try BlurFilter(radius: radius).apply(to: frame, scale: 1)
            expectPixels(image, equals: frame)
        }
    }

    @Test("F3: a mirrored blur is the blur of the mirror") func symmetric() throws {
        let frame = FilterSamples.noise(27, 14)
        for filter: any ImageFilter in [.blur(radius: 2.3), .sharpen(radius: 1.2, amount: 2)] {
            for axis in FlipFilter.Axis.allCases {
                let one = try RasterImage(frame).applying(filter, .flip(axis))
                let other = try RasterImage(frame).applying(.flip(axis), filter)
                expectPixels(one.posterFrame, equals: other.posterFrame)
            }
        }
    }

    @Test("F3: hidden black leaves no fringe", arguments: [1.0, 4, 30])
    func fringe(radius: Double) throws {
        let disc = PixelBuffer.drawn(PixelSize(width: 40, height: 40)) { x, y in
            (x - 20) * (x - 20) + (y - 20) * (y - 20) < 150
                ? Pixel(red: 250, green: 250, blue: 250) : .clear
        }
        for filter: any ImageFilter in [
            .blur(radius: radius), .sharpen(radius: radius, amount: 3),
            .pixellate(size: radius + 2),
            .rotate(degrees: radius * 11),
        ] {
            let image = try filter.apply(to: disc, scale: 1)
            var seen = 0
            for y in 0..<image.size.height {
                for x in 0..<image.size.width {
                    let pixel = try #require(image[x, y])
                    guard pixel.alpha > 16 else { continue }
                    seen += 1
                    #expect(
                        pixel.red >= 248 && pixel.red <= 252,
                        "\(filter.identifier) at \(x), \(y): \(pixel)")
                }
            }
            #expect(seen > 100, "\(filter.identifier)")
        }
    }

    @Test("F3: sharpen adds what a pixel differs from its neighbourhood")
    func sharpen() throws {
        for opaque in [true, false] {
            let frame = FilterSamples.noise(21, 13, opaque: opaque)
            let image = try SharpenFilter(radius: 1.5, amount: 1.5).apply(to: frame, scale: 1)
            var plane = Plane(frame)
            for across in [true, false] {
                for _ in 0..<3 { plane.convolve(box(1.5), across: across) }
            }
            let mean = plane.image
            let reference = PixelBuffer.drawn(frame.size) { x, y in
                let (source, mean) = (frame[x, y] ?? .clear, mean[x, y] ?? .clear)
                func level(_ path: KeyPath<Pixel, UInt8>) -> UInt8 {
                    let level = Double(source[keyPath: path])
                    let added = (level - Double(mean[keyPath: path])) * 1.5
                    return UInt8(max(0, min(255, level + added)).rounded())
                }
                return Pixel(
                    red: level(\.red), green: level(\.green), blue: level(\.blue),
                    alpha: source.alpha)
            }
            expectPixels(image, equals: reference, within: 3, "sharpen") { x, y in
                (mean[x, y]?.alpha ?? 0) >= 8
            }
        }
        let flat = PixelBuffer.solid(Pixel(red: 9, green: 90, blue: 200), width: 7, height: 5)
        expectPixels(try SharpenFilter(amount: 16).apply(to: flat, scale: 1), equals: flat)
    }

    @Test("F3: blocks are the mean of what is seen in them", arguments: [2, 3, 8, 40])
    func pixellate(side: Int) throws {
        let frame = FilterSamples.noise(19, 14)
        let image = try PixellateFilter(size: Double(side) / 2).apply(to: frame, scale: 2)
        let reference = PixelBuffer.drawn(frame.size) { x, y in
            var sum = [0.0, 0, 0, 0]
            var count = 0.0
            for row in (y / side * side)..<min(14, (y / side + 1) * side) {
                for column in (x / side * side)..<min(19, (x / side + 1) * side) {
                    let pixel = frame[column, row] ?? .clear
                    let alpha = Double(pixel.alpha)
                    sum[0] += Double(pixel.red) * alpha
                    sum[1] += Double(pixel.green) * alpha
                    sum[2] += Double(pixel.blue) * alpha
                    sum[3] += alpha
                    count += 1
                }
            }
            guard sum[3] / count >= 0.5 else { return .clear }
            return Pixel(
                red: UInt8((sum[0] / sum[3]).rounded()), green: UInt8((sum[1] / sum[3]).rounded()),
                blue: UInt8((sum[2] / sum[3]).rounded()), alpha: UInt8((sum[3] / count).rounded()))
        }
        expectPixels(image, equals: reference, within: 1, "pixellate \(side)")
    }
}
