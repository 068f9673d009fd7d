import PixelSupport
import Testing
import VitrineImaging

@Suite struct FilterNameTests {
    @Test("F3: a name and parameters are the filter that they say") func names() throws {
        let pairs: [(String, [String: FilterValue], any ImageFilter)] = [
            ("fit", ["width": 60, "height": 40.5], .fit(width: 60, height: 40.5)),
            (
                "fit", ["width": 60, "height": "40", "upscales": true],
                .fit(width: 60, height: 40, upscales: true)
            ),
            ("fitCanvas", ["width": 6, "height": 4], .fitCanvas(width: 6, height: 4)),
            (
                "fitCanvas", ["width": 6, "height": 4, "upscales": "false"],
                .fitCanvas(width: 6, height: 4, upscales: false)
            ),
            ("fill", ["width": 6, "height": 4], .fill(width: 6, height: 4)),
            (
                "fill", ["width": 6, "height": 4, "crop": "entropy"],
                .smartFill(width: 6, height: 4, crop: .entropy)
            ),
            ("smartFill", ["width": 6, "height": 4], .smartFill(width: 6, height: 4)),
            (
                "smartFill", ["width": 6, "height": 4, "crop": "center"],
                .fill(width: 6, height: 4)
            ),
            ("scaled", ["width": 6, "height": 4], .scaled(width: 6, height: 4)),
            ("roundedCorners", ["radius": 0], .roundedCorners(radius: 0)),
            (
                "roundedCorners", ["radius": 3, "unit": "pixels"],
                .roundedCorners(radius: 3, unit: .pixels)
            ),
            ("circle", [:], .circle),
            (
                "scaledRounded", ["width": 6, "height": 4, "radius": 1],
                .scaledRounded(width: 6, height: 4, radius: 1)
            ),
            (
                "fillRounded", ["width": 6, "height": 4, "radius": 1, "unit": "pixels"],
                .fillRounded(width: 6, height: 4, radius: 1, unit: .pixels)
            ),
            ("scaledCircle", ["width": 6, "height": 4], .scaledCircle(width: 6, height: 4)),
            ("fillCircle", ["width": 6, "height": 4], .fillCircle(width: 6, height: 4)),
            ("sepia", [:], .sepia()), ("sepia", ["intensity": 0.8], .sepia(intensity: 0.8)),
            ("greyscale", [:], .greyscale()), ("invert", [:], .invert()),
            ("brightness", ["factor": 2], .brightness(factor: 2)),
            ("contrast", ["factor": 2], .contrast(factor: 2)),
            ("saturation", ["factor": "2"], .saturation(factor: 2)),
            ("gamma", ["value": 2.2], .gamma(value: 2.2)),
            ("tint", ["color": .color(.white)], .tint(.white)),
            ("tint", ["color": "#FFffFF", "mode": "multiply"], .tint(.white, mode: .multiply)),
            (
                "tint", ["color": "ffffff80", "mode": "template"],
                .template(Pixel(red: 255, green: 255, blue: 255, alpha: 128))
            ),
            ("blur", [:], .blur()), ("blur", ["radius": 4], .blur(radius: 4)),
            ("sharpen", [:], .sharpen()),
            ("sharpen", ["radius": 2, "amount": 1], .sharpen(radius: 2, amount: 1)),
            ("pixellate", [:], .pixellate()), ("vignette", [:], .vignette()),
            ("vignette", ["intensity": 1, "radius": 0], .vignette(intensity: 1, radius: 0)),
            (
                "crop", ["x": -1, "y": 2, "width": 3, "height": 4],
                .crop(x: -1, y: 2, width: 3, height: 4)
            ),
            ("rotate", ["degrees": -90], .rotate(degrees: -90)),
            ("flip", ["axis": "vertical"], .flip(.vertical)),
            ("border", ["width": 2, "color": "000000"], .border(width: 2, color: .black)),
            ("background", ["color": "000000"], .background(.black)),
        ]
        for (name, parameters, filter) in pairs {
            let named = try NamedFilter(name, parameters)
            #expect(named.identifier == filter.identifier)
            #expect(type(of: named.filter) == type(of: filter))
            let list = parameters.map { "\($0.key)=\($0.value)" }.sorted()
            let text = list.isEmpty ? name : "\(name):\(list.joined(separator: ","))"
            #expect(try NamedFilter(parsing: text).identifier == filter.identifier, "\(text)")
        }
        #expect(Set(pairs.map(\.0)) == Set(NamedFilter.all.map(\.name)))
    }

    @Test("F3: a named filter is used like any other") func use() throws {
        let image = RasterImage(Scene.plain)
        let one = try image.applying(.named("sepia", ["intensity": 0.8]), .circle)
        let other = try image.applying(.sepia(intensity: 0.8), .circle)
        expectPixels(one.posterFrame, equals: other.posterFrame)
    }

    @Test("F3: every listed filter can be made from its usage") func usage() throws {
        for filter in NamedFilter.all {
            let text = filter.usage.replacing("RRGGBB", with: "ff8800").replacing("=N", with: "=1")
                .replacing("horizontal|vertical", with: "vertical")
            #expect(throws: Never.self, "\(text)") { try NamedFilter(parsing: text) }
            #expect(!filter.summary.isEmpty)
        }
        let names = NamedFilter.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(FilterSamples.named.map { String($0.prefix { $0 != ":" }) }) == Set(names))
        let blur = try #require(NamedFilter.all.first { $0.name == "blur" })
        #expect(blur.usage == "blur:radius=10")
        let flip = try #require(NamedFilter.all.first { $0.name == "flip" })
        #expect(flip.usage == "flip:axis=horizontal|vertical")
    }

    @Test(
        "F3: what is no filter is explained",
        arguments: [
            ("", "A filter is written as NAME or NAME:key=value,key=value, not \"\"."),
            (":", "A filter is written as NAME or NAME:key=value,key=value, not \":\"."),
            ("blur:", "A filter is written as NAME or NAME:key=value,key=value, not \"blur:\"."),
            ("blur:4", "A filter is written as NAME or NAME:key=value,key=value, not \"blur:4\"."),
            (
                "blur:=4",
                "A filter is written as NAME or NAME:key=value,key=value, not \"blur:=4\"."
            ),
            (
                "blur:radius=4,",
                "A filter is written as NAME or NAME:key=value,key=value, not \"blur:radius=4,\"."
            ),
            ("blur:radius=4,radius=5", "The parameter radius of the filter blur was given twice."),
            ("blur:size=4", "The filter blur has no parameter \"size\"; it has radius."),
            ("circle:size=4", "The filter circle has no parameter \"size\"; it has none."),
            (
                "fit:width=4",
                "The filter fit needs the parameter height: a number above 0, at most 10000000."
            ),
            (
                "border:width=1",
                "The filter border needs the parameter color: a colour such as ff8800 or ff880080."
            ),
            ("flip", "The filter flip needs the parameter axis: one of horizontal, vertical."),
            (
                "flip:axis=up",
                "The parameter axis of the filter flip is one of horizontal, vertical, not \"up\"."
            ),
            (
                "sepia:intensity=2",
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"2\"."
            ),
            (
                "sepia:intensity=nan",
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"nan\"."
            ),
            (
                "sepia:intensity=",
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"\"."
            ),
            (
                "sepia:intensity=a=b",
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"a=b\"."
            ),
            (
                "fill:width=0,height=1",
                "The parameter width of the filter fill is a number above 0, at most 10000000, not \"0\"."
            ),
            (
                "fill:width=inf,height=1",
                "The parameter width of the filter fill is a number above 0, at most 10000000, not \"inf\"."
            ),
            (
                "rotate:degrees=inf",
                "The parameter degrees of the filter rotate is a number, not \"inf\"."
            ),
            (
                "tint:color=red",
                "The parameter color of the filter tint is a colour such as ff8800 or ff880080, not \"red\"."
            ),
            (
                "fit:width=1,height=1,upscales=yes",
                "The parameter upscales of the filter fit is true or false, not \"yes\"."
            ),
        ])
    func mistakes(text: String, message: String) {
        let error = #expect(throws: FilterNameError.self) { try NamedFilter(parsing: text) }
        #expect(error?.description == message)
        #expect(error?.errorDescription == message)
    }

    @Test("F3: an unknown name throws and lists those that there are") func unknown() throws {
        for name in ["", " ", "överlay", "emboss", String(repeating: "sepia", count: 100_000)] {
            let error = #expect(throws: FilterNameError.self) { try NamedFilter(name) }
            let text = try #require(error?.description)
            #expect(
                text.hasPrefix("There is no filter \"\(name)\"; there are fit, fitCanvas, fill,"))
            #expect(text.hasSuffix("border, background."))
        }
    }

    @Test(
        "F3: a name that comes near one suggests it",
        arguments: [
            ("sepla", "sepia"), ("Sepia", "sepia"), ("sepia ", "sepia"), ("spia", "sepia"),
            ("esepia", "sepia"), ("speia", "sepia"), ("BLUR", "blur"), ("bluer", "blur"),
            ("rounded-corners", "roundedCorners"), ("circel", "circle"), ("Grayscale", "greyscale"),
            ("greyscaled", "greyscale"), ("gaussianblur", "blur"), ("pixelated", "pixellate"),
            ("vignete", "vignette"), ("smartfill", "smartFill"),
        ])
    func suggestion(name: String, meant: String) throws {
        let error = #expect(throws: FilterNameError.self) { try NamedFilter(name) }
        guard case .unknownFilter(name, nearest: meant, let known) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(known == NamedFilter.all.map(\.name))
        #expect(error?.description == "There is no filter \"\(name)\"; did you mean \(meant)?")
    }

    @Test("F3: names under which filters are known elsewhere are the same filters")
    func aliases() throws {
        for (alias, name) in [
            ("grayscale", "greyscale"), ("gray", "greyscale"), ("grey", "greyscale"),
            ("gaussianBlur", "blur"), ("pixelate", "pixellate"), ("sepiaTone", "sepia"),
            ("unsharpMask", "sharpen"), ("negative", "invert"),
        ] {
            #expect(try NamedFilter(alias).identifier == NamedFilter(name).identifier)
        }
        for (alias, name) in [
            ("scale:width=3,height=4", "scaled:width=3,height=4"),
            ("resize:width=3,height=4", "scaled:width=3,height=4"),
            ("cover:width=3,height=4", "fill:width=3,height=4"),
            ("contain:width=3,height=4", "fit:width=3,height=4"),
            ("letterbox:width=3,height=4", "fitCanvas:width=3,height=4"),
            ("smartCrop:width=3,height=4", "smartFill:width=3,height=4"),
            ("scaleCircle:width=3,height=4", "scaledCircle:width=3,height=4"),
            ("scaleRounded:width=3,height=4,radius=1", "scaledRounded:width=3,height=4,radius=1"),
            ("rounded:radius=3", "roundedCorners:radius=3"),
            ("saturate:factor=2", "saturation:factor=2"),
            ("colorize:color=ff0000", "tint:color=ff0000"),
            ("mirror:axis=vertical", "flip:axis=vertical"),
            ("flatten:color=ffffff", "background:color=ffffff"),
        ] {
            #expect(
                try NamedFilter(parsing: alias).identifier == NamedFilter(parsing: name).identifier)
        }
        let names = NamedFilter.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        // A mistake is explained with the filter's own name.
        let error = #expect(throws: FilterNameError.self) {
            try NamedFilter(parsing: "gaussianBlur:size=3")
        }
        #expect(
            error == .unknownParameter(filter: "blur", name: "size", known: ["radius"]))
    }

    @Test("F3: a filter describes itself in full") func help() throws {
        let all = Dictionary(uniqueKeysWithValues: NamedFilter.all.map { ($0.name, $0.help) })
        #expect(
            all["tint"] == """
                tint:color=RRGGBB,mode=color
                    one colour: keeps luminance, multiplies, or fills the alpha; also colorize
                    color  a colour such as ff8800 or ff880080
                    mode   one of color, multiply, template; color unless given
                """)
        #expect(all["circle"] == "circle\n    the largest centred circle")
        #expect(
            all["roundedCorners"] == """
                roundedCorners:radius=N,unit=points
                    rounded corners; also rounded, round
                    radius  a number from 0 to 10000000, in points
                    unit    one of points, pixels; points unless given
                """)
        #expect(all["fit"]?.hasSuffix("\n    upscales  true or false; false unless given") == true)
    }

    @Test("F3: values of another kind are refused") func kinds() {
        for (name, parameters) in [
            ("sepia", ["intensity": .color(.white)]), ("sepia", ["intensity": true]),
            ("background", ["color": 3]), ("flip", ["axis": 1]),
            ("fit", ["width": 1, "height": 1, "upscales": 1]),
            ("sepia", ["intensity": .number(.nan)]),
        ] as [(String, [String: FilterValue])] {
            let error = #expect(throws: FilterNameError.self) { try NamedFilter(name, parameters) }
            guard case .invalidParameter = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "F4: colours are six or eight digits",
        arguments: [
            ("ff8000", Pixel(red: 255, green: 128, blue: 0)),
            ("#FF800040", Pixel(red: 255, green: 128, blue: 0, alpha: 64)),
            ("00000000", .clear), ("012345", Pixel(red: 1, green: 35, blue: 69)),
            ("", nil), ("#", nil), ("fff", nil), ("ff80000", nil), ("ff80000g", nil),
            ("ff8000ff0", nil), (" ff8000", nil), ("+f8000", nil), ("##ff8000", nil),
            ("ſf8000", nil), ("ff８000", nil),
        ] as [(String, Pixel?)])
    func hex(text: String, color: Pixel?) throws {
        #expect(Pixel(hex: text) == color)
        if let color { #expect(Pixel(hex: color.hex) == color) }
    }
}
