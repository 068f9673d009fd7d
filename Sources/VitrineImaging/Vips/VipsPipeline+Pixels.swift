import CVips

/// The steps from a loaded image to RGBA.
extension VipsPipeline {
    /// How many bands are colours; the one behind them is alpha.
    var colorBands: Int {
        switch interpretation {
        case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: 1
        case VIPS_INTERPRETATION_CMYK: min(bands, 4)
        case VIPS_INTERPRETATION_MULTIBAND: bands < 3 ? 1 : 3
        default: min(bands, 3)
        }
    }

    var hasAlpha: Bool { bands > colorBands }

    /// The centred part of this size.
    func cropped(to size: PixelSize) throws(VipsFailure) -> VipsPipeline {
        guard size != self.size else { return self }
        return try Self.make(
            "extract_area",
            [
                ("input", .image(self)), ("left", .int((width - size.width) / 2)),
                ("top", .int((height - size.height) / 2)),
                ("width", .int(size.width)), ("height", .int(size.height)),
            ])
    }

    /// The part of this size that `crop` says.
    func cropped(
        to size: PixelSize, keeping crop: FillFilter.Crop
    ) throws(VipsFailure) -> VipsPipeline {
        let interesting =
            switch crop {
            case .center: VIPS_INTERESTING_NONE
            case .attention: VIPS_INTERESTING_ATTENTION
            case .entropy: VIPS_INTERESTING_ENTROPY
            }
        guard interesting != VIPS_INTERESTING_NONE, size != self.size else {
            return try cropped(to: size)
        }
        return try Self.make(
            "smartcrop",
            [
                ("input", .image(self)), ("width", .int(size.width)),
                ("height", .int(size.height)), ("interesting", .int(Int(interesting.rawValue))),
            ])
    }

    /// Resized to exactly this size. Alpha weighs the colours, so that what lies hidden under
    /// transparent pixels leaves no fringe.
    func resized(to size: PixelSize) throws(VipsFailure) -> VipsPipeline {
        guard size != self.size else { return self }
        guard hasAlpha else { return try shrunk(to: size).enlarged(to: size) }
        return try then("premultiply").shrunk(to: size).enlarged(to: size).then("unpremultiply")
            .then("round", [("round", .int(Int(VIPS_OPERATION_ROUND_RINT.rawValue)))])
            .then("cast", [("format", .int(Int(format.rawValue)))])
    }

    /// Where this is larger than `size`: as large as that, by Lanczos 3.
    private func shrunk(to size: PixelSize) throws(VipsFailure) -> VipsPipeline {
        let size = PixelSize(width: min(width, size.width), height: min(height, size.height))
        guard size != self.size else { return self }
        let result = try then(
            "resize",
            [
                ("scale", .double(Double(size.width) / Double(width))),
                ("vscale", .double(Double(size.height) / Double(height))),
            ])
        guard result.size != size else { return result }
        // Rounding inside libvips may miss by one.
        return try result.then(
            "gravity",
            [
                ("direction", .int(Int(VIPS_COMPASS_DIRECTION_CENTRE.rawValue))),
                ("width", .int(size.width)), ("height", .int(size.height)),
                ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))),
            ])
    }

    /// Where this is smaller than `size`: as large as that, bicubic.
    ///
    /// The operation "resize" would do that too, but half a pixel off the middle.
    private func enlarged(to size: PixelSize) throws(VipsFailure) -> VipsPipeline {
        guard size != self.size else { return self }
        let across = Double(size.width) / Double(width)
        let down = Double(size.height) / Double(height)
        return try then(
            "affine",
            [
                ("matrix", .doubles([across, 0, 0, down])),
                ("interpolate", .interpolator("bicubic")),
                // Otherwise it would multiply and divide by alpha once more.
                ("premultiplied", .bool(true)),
                ("oarea", .ints([0, 0, size.width, size.height])),
                ("idx", .double(0.5)), ("idy", .double(0.5)),
                ("odx", .double(-0.5)), ("ody", .double(-0.5)),
                ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))),
            ])
    }

    /// The same picture, which has no alpha, as 8-bit sRGB.
    func asRGB() throws(VipsFailure) -> VipsPipeline {
        let count = colorBands
        return try bands == count
            ? asSRGB() : then("extract_band", [("band", .int(0)), ("n", .int(count))]).asSRGB()
    }

    /// The same picture as RGBA of 16 bits a sample, its colours as they are; grey becomes RGB.
    func asWideRGBA() throws(VipsFailure) -> VipsPipeline {
        let wide = try asWide()
        func band(_ index: Int, _ count: Int = 1) throws(VipsFailure) -> VipsPipeline {
            try wide.then("extract_band", [("band", .int(index)), ("n", .int(count))])
        }
        let colors: VipsPipeline
        if colorBands == 3 {
            colors = try band(0, 3)
        } else {
            let grey = try band(0)
            colors = try Self.make("bandjoin", [("in", .images([grey, grey, grey]))])
        }
        guard hasAlpha else {
            return try colors.then("bandjoin_const", [("c", .doubles([65_535]))])
        }
        return try Self.make("bandjoin", [("in", .images([colors, band(colorBands)]))])
    }

    /// The samples as 16 bits; bytes are repeated, so that white stays white.
    private func asWide() throws(VipsFailure) -> VipsPipeline {
        let type = ("format", VipsArgument.int(Int(VIPS_FORMAT_USHORT.rawValue)))
        switch format {
        case VIPS_FORMAT_USHORT: return self
        case VIPS_FORMAT_UCHAR:
            return try then("linear", [("a", .doubles([257])), ("b", .doubles([0]))])
                .then("cast", [type])
        default: return try then("cast", [type])
        }
    }

    /// The first of three equal colours, and alpha if there is some.
    func asGrey() throws(VipsFailure) -> VipsPipeline {
        var grey = try then("extract_band", [("band", .int(0))])
        if hasAlpha {
            let alpha = try then("extract_band", [("band", .int(colorBands))])
            grey = try .make("bandjoin", [("in", .images([grey, alpha]))])
        }
        return try grey.then(
            "copy", [("interpretation", .int(Int(VIPS_INTERPRETATION_B_W.rawValue)))])
    }

    /// The same picture as 8-bit sRGB with alpha, whatever it was.
    func asRGBA() throws(VipsFailure) -> VipsPipeline {
        let count = colorBands
        let colors =
            hasAlpha ? try then("extract_band", [("band", .int(0)), ("n", .int(count))]) : self
        let rgb = try colors.asSRGB()
        if hasAlpha {
            let alpha = try then("extract_band", [("band", .int(count))]).asBytes()
            return try Self.make("bandjoin", [("in", .images([rgb, alpha]))])
        }
        return try rgb.then("bandjoin_const", [("c", .doubles([255]))])
    }

    /// Three bands of sRGB, 8 bits each; this has no alpha.
    private func asSRGB() throws(VipsFailure) -> VipsPipeline {
        if profileFitsBands,
            let managed = try? then(
                "icc_transform",
                [
                    ("output-profile", .string("srgb")), ("embedded", .bool(true)),
                    ("depth", .int(8)),
                    ("intent", .int(Int(VIPS_INTENT_RELATIVE.rawValue))),
                ]),
            managed.bands == 3
        {
            return try managed.asBytes()
        }
        let rgb =
            interpretation == VIPS_INTERPRETATION_sRGB && bands == 3
            ? self
            : try then(
                "colourspace", [("space", .int(Int(VIPS_INTERPRETATION_sRGB.rawValue)))])
        guard rgb.bands != 3 else { return try rgb.asBytes() }
        let first = try rgb.then("extract_band", [("band", .int(0))])
        return try Self.make("bandjoin", [("in", .images([first, first, first]))]).asBytes()
    }

    /// The samples as bytes; of wider ones the upper byte.
    private func asBytes() throws(VipsFailure) -> VipsPipeline {
        guard format != VIPS_FORMAT_UCHAR else { return self }
        return try then(
            "cast",
            [
                ("format", .int(Int(VIPS_FORMAT_UCHAR.rawValue))),
                ("shift", .bool(format == VIPS_FORMAT_USHORT)),
            ])
    }

    /// Whether an ICC profile is attached and is made for as many colours as there are
    /// (ICC.1:2022, 7.2.6): a grey picture may carry an RGB profile, and then it means nothing.
    private var profileFitsBands: Bool {
        let kinds = ["RGB ": 3, "GRAY": 1, "CMYK": 4]
        return withBlob("icc-profile-data") { profile in
            kinds.contains { profile.begins($0.key, at: 16) && $0.value == colorBands }
        } ?? false
    }
}
