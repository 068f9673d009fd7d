import PixelSupport
import Testing
import VitrineImaging

/// What holds for every built-in filter.
@Suite struct FilterPropertyTests {
    static let sizes = [(1, 1), (2, 1), (1, 7), (5, 3), (16, 17)]

    @Test(
        "F1 to F8: every filter works at every size, says truly whether the result is opaque, and always makes the same",
        arguments: FilterSamples.all)
    func always(sample: FilterSamples.Sample) throws {
        let filter = sample.filter
        for (width, height) in Self.sizes {
            for opaque in [true, false] {
                let frame = FilterSamples.noise(width, height, opaque: opaque)
                for scale in [1, 1.5] {
                    let image = try filter.apply(to: frame, scale: scale)
                    var least: UInt8 = 255
                    for y in 0..<image.size.height {
                        for x in 0..<image.size.width {
                            least = min(least, try #require(image[x, y]).alpha)
                        }
                    }
                    #expect(image.isOpaque == (least == 255), "\(width) × \(height)")
                    let again = try filter.apply(to: frame, scale: scale)
                    let same = image.withUnsafeBytes { one in
                        again.withUnsafeBytes { one.elementsEqual($0) }
                    }
                    #expect(same, "\(width) × \(height)")
                }
            }
        }
    }

    @Test(
        "F1 to F8: what is hidden under transparent pixels has no influence",
        arguments: FilterSamples.all)
    func hidden(sample: FilterSamples.Sample) throws {
        let filter = sample.filter
        let one = FilterSamples.noise(16, 17)
        let other = PixelBuffer.drawn(one.size) { x, y in
            let pixel = one[x, y] ?? .clear
            return pixel.alpha == 0 ? Pixel(red: 255, green: 0, blue: 77, alpha: 0) : pixel
        }
        expectPixels(
            try filter.apply(to: other, scale: 1), equals: try filter.apply(to: one, scale: 1),
            within: 0, sample.name)
    }

    @Test(
        "F1 to F8: a white picture on hidden black stays white at its edges",
        arguments: FilterSamples.all.filter { !Self.changesWhite.contains($0.kind) })
    func fringe(sample: FilterSamples.Sample) throws {
        let disc = PixelBuffer.drawn(PixelSize(width: 24, height: 23)) { x, y in
            let (across, down) = (Double(x) - 11.3, Double(y) - 11.9)
            let alpha = max(0, min(1, 9.5 - (across * across + down * down).squareRoot()))
            return alpha == 0
                ? .clear
                : Pixel(red: 255, green: 255, blue: 255, alpha: UInt8((alpha * 255).rounded()))
        }
        let image = try sample.filter.apply(to: disc, scale: 1)
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let pixel = try #require(image[x, y])
                // Of what is nearly transparent the colours are rounded coarsely.
                guard pixel.alpha > 8 else { continue }
                let darkest = min(pixel.red, pixel.green, pixel.blue)
                #expect(darkest >= 250, "(\(x), \(y)): \(pixel)")
            }
        }
    }

    /// Filters that make another colour of white, or show it on one.
    private static let changesWhite: Set<String> = [
        "sepia", "invert", "brightness", "contrast", "tint", "vignette", "border", "background",
        "overlay",
    ]

    @Test(
        "F10: every filter works on a picture without a loader and keeps scale and facts",
        arguments: FilterSamples.all)
    func anyImage(sample: FilterSamples.Sample) throws {
        let image = RasterImage(FilterSamples.noise(12, 9), scale: 1.5)
        let filtered = try image.applying(sample.filter)
        #expect(filtered.scale == 1.5)
        #expect(filtered.info == image.info)
        #expect(filtered.frameCount == 1)
        expectPixels(
            filtered.posterFrame,
            equals: try sample.filter.apply(to: image.posterFrame, scale: 1.5),
            within: 0, sample.name)
    }

    @Test(
        "F11: lengths are points: in pixels, a filter at scale 2 is that of twice the lengths",
        arguments: Self.lengths.map(\.name))
    func points(name: String) throws {
        let make = try #require(Self.lengths.first { $0.name == name }).make
        let frame = FilterSamples.noise(40, 30)
        expectPixels(
            try make(1).apply(to: frame, scale: 2), equals: try make(2).apply(to: frame, scale: 1),
            within: 0, name)
        expectPixels(
            try make(1).apply(to: frame, scale: 1),
            equals: try make(4).apply(to: frame, scale: 0.25), within: 0, name)
    }

    /// Every filter that has lengths, with all of them times a factor.
    private static let lengths: [(name: String, make: @Sendable (Double) -> any ImageFilter)] = [
        ("fit", { .fit(width: 9 * $0, height: 7 * $0) }),
        ("fit that enlarges", { .fit(width: 30 * $0, height: 30 * $0, upscales: true) }),
        ("fitCanvas", { .fitCanvas(width: 11 * $0, height: 5 * $0) }),
        ("fill", { .fill(width: 6 * $0, height: 8 * $0) }),
        ("smartFill", { .smartFill(width: 6 * $0, height: 8 * $0) }),
        ("scaled", { .scaled(width: 13 * $0, height: 4 * $0) }),
        ("roundedCorners", { .roundedCorners(radius: 5 * $0) }),
        ("scaledRounded", { .scaledRounded(width: 9 * $0, height: 8 * $0, radius: 3 * $0) }),
        ("fillRounded", { .fillRounded(width: 9 * $0, height: 8 * $0, radius: 3 * $0) }),
        ("scaledCircle", { .scaledCircle(width: 9 * $0, height: 8 * $0) }),
        ("fillCircle", { .fillCircle(width: 9 * $0, height: 8 * $0) }),
        ("blur", { .blur(radius: 1.5 * $0) }), ("sharpen", { .sharpen(radius: 2 * $0) }),
        ("pixellate", { .pixellate(size: 3 * $0) }),
        ("crop", { .crop(x: 2 * $0, y: -1 * $0, width: 6 * $0, height: 5 * $0) }),
        ("border", { .border(width: 2 * $0, color: .black) }),
        ("overlay", { .overlay(Scene.alpha, x: 3 * $0, y: -2 * $0) }),
        ("composition", { .composition([.blur(radius: $0), .border(width: $0, color: .black)]) }),
    ]

    @Test(
        "F3, F4: filters of colours keep the size and every alpha",
        arguments: FilterSamples.named.filter { name in
            FilterSamples.colorsOnly.contains(String(name.prefix { $0 != ":" }))
                && !name.contains("template")
        })
    func alpha(name: String) throws {
        let filter = try NamedFilter(parsing: name)
        for (width, height) in Self.sizes {
            let frame = FilterSamples.noise(width, height)
            let image = try filter.apply(to: frame, scale: 1)
            #expect(image.size == frame.size)
            for y in 0..<height {
                for x in 0..<width { #expect(image[x, y]?.alpha == frame[x, y]?.alpha) }
            }
        }
    }

    @Test(
        "F3: filters of details keep an opaque picture opaque",
        arguments: ["blur:radius=3", "blur:radius=5000", "sharpen", "pixellate", "vignette"])
    func opaque(name: String) throws {
        let frame = FilterSamples.noise(13, 9, opaque: true)
        let image = try NamedFilter(parsing: name).apply(to: frame, scale: 1)
        #expect(image.isOpaque)
        #expect(image.size == frame.size)
    }

    /// Every length and number of every filter, with a value in its place.
    static func filters(_ value: Double) -> [any ImageFilter] {
        let dot = PixelBuffer.solid(.white, width: 1, height: 1)
        return [
            .fit(width: value, height: 5, upscales: true), .fitCanvas(width: value, height: 5),
            .fitCanvas(width: 5, height: value), .roundedCorners(radius: value, unit: .pixels),
            .scaledRounded(width: value, height: 5, radius: 1),
            .scaledRounded(width: 5, height: value, radius: 1),
            .scaledRounded(width: 5, height: 5, radius: value),
            .fillRounded(width: value, height: 5, radius: 1),
            .fillRounded(width: 5, height: 5, radius: value),
            .scaledCircle(width: value, height: 5), .fillCircle(width: 5, height: value),
            .sepia(intensity: value), .greyscale(intensity: value), .invert(intensity: value),
            .brightness(factor: value), .contrast(factor: value), .saturation(factor: value),
            .gamma(value: value), .blur(radius: value), .sharpen(radius: value),
            .sharpen(amount: value), .pixellate(size: value), .vignette(intensity: value),
            .vignette(radius: value), .crop(x: 0, y: 0, width: value, height: 1),
            .crop(x: 0, y: 0, width: 1, height: value), .border(width: value, color: .white),
            .overlay(dot, opacity: value), .smartFill(width: value, height: 5),
            .smartFill(width: 5, height: value, crop: .entropy),
        ]
    }

    @Test(
        "F1 to F8: negative, infinite and undefined values are errors",
        arguments: [-1, -1e300, Double.nan, .infinity, -.infinity])
    func badValues(value: Double) {
        let dot = PixelBuffer.solid(.white, width: 1, height: 1)
        var filters = Self.filters(value)
        if !value.isFinite {
            filters +=
                [
                    .rotate(degrees: value), .crop(x: value, y: 0, width: 1, height: 1),
                    .crop(x: 0, y: value, width: 1, height: 1), .overlay(dot, x: value),
                    .overlay(dot, y: value),
                ] as [any ImageFilter]
        }
        for filter in filters {
            let error = #expect(throws: ImagingError.self, "\(filter.identifier)") {
                try filter.apply(to: Scene.plain, scale: 1)
            }
            guard case .invalidArgument = error else {
                Issue.record("\(filter.identifier): \(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "F1 to F8: values at and beyond all bounds are pictures or errors, never crashes",
        arguments: [
            0, Double.leastNonzeroMagnitude, 1e-9, 0.4, 0.5, 1, 1.000001, 16, 16.01, 100, 5000,
            16_000, 16_001, 1e7,
            10_000_001, 1e18, 1e19, 1e300, .greatestFiniteMagnitude,
        ])
    func extremes(value: Double) throws {
        let frame = FilterSamples.noise(3, 2)
        let dot = PixelBuffer.solid(.white, width: 1, height: 1)
        var made = 0
        let more: [any ImageFilter] = [
            .rotate(degrees: value), .rotate(degrees: -value),
            .crop(x: value, y: -value, width: value, height: value),
            .crop(x: -value, y: 0, width: value, height: 1), .overlay(dot, x: value, y: -value),
        ]
        // Strips that a test need not wait for.
        let waits = value > 5000 && value <= 1e7
        for filter in Self.filters(value) + more
        where !(waits && filter.identifier.contains("5.0")) {
            for scale in [1, 1e-300, 1e300] {
                do {
                    _ = try filter.apply(to: frame, scale: scale)
                    made += 1
                } catch is ImagingError {}
            }
        }
        #expect(made > 0)
    }

    @Test("F1, F8: results beyond 100 million pixels are refused before they are made")
    func tooLarge() throws {
        let sliver = PixelBuffer.solid(.white, width: 1, height: 20_000)
        for (filter, frame) in [
            (.fit(width: 20_000, height: 20_000, upscales: true), Scene.plain),
            (.fitCanvas(width: 10_001, height: 10_000), Scene.plain),
            (.fill(width: 10_001, height: 10_000), Scene.plain),
            (.smartFill(width: 10_001, height: 10_000), Scene.plain),
            (.fillCircle(width: 10_001, height: 10_000), Scene.plain),
            (.border(width: 5_000, color: .white), Scene.plain),
            (.border(width: 10_000_000, color: .white), Scene.plain),
            (.rotate(degrees: 45), sliver), (.rotate(degrees: 30), sliver),
        ] as [(any ImageFilter, PixelBuffer)] {
            let error = #expect(throws: ImagingError.self, "\(filter.identifier)") {
                try filter.apply(to: frame, scale: 1)
            }
            guard case .tooLarge(.resultPixels, let found, 100_000_000) = error else {
                Issue.record("\(filter.identifier): \(String(describing: error))")
                continue
            }
            #expect(found > 100_000_000)
        }
    }
}
