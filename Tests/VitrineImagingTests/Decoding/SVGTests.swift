import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct SVGTests {
    static let allowed = DecodeLimits(allowsSVG: true)
    static let names =
        "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"

    static func image(
        _ text: String, target: TargetSize? = nil, limits: DecodeLimits = allowed
    ) throws(ImagingError) -> RasterImage {
        try RasterImage(
            decoding: Data(text.utf8), options: DecodeOptions(targetSize: target, limits: limits))
    }

    /// A drawing of 10 × 10 with this inside.
    static func drawing(_ body: String) -> String {
        "<svg \(names) viewBox='0 0 10 10'>\(body)</svg>"
    }

    static func refusal(_ text: String, target: TargetSize? = nil) -> SVGRefusal? {
        let result = Result { () throws(ImagingError) in try image(text, target: target) }
        guard case .failure(let error) = result else { return nil }
        if case .svgRefused(let why) = error { return why }
        Issue.record("\(error)")
        return nil
    }

    @Test("D1: SVG is off by default, and the error says how it is allowed")
    func off() throws {
        let data = try Fixture.data("scene.svg")
        let error = #expect(throws: ImagingError.formatNotAllowed(format: .svg)) {
            try RasterImage(decoding: data)
        }
        #expect(error?.description.contains("allowsSVG") == true)
        #expect(throws: ImagingError.formatNotAllowed(format: .svg)) {
            try ImageInfo(probing: data)
        }
    }

    @Test("D1, D3: the scene at its own size and at others, exactly")
    func scene() throws {
        let data = try Fixture.data("scene.svg")
        let info = try ImageInfo(probing: data, limits: Self.allowed)
        #expect(info.format == .svg && info.pixelSize == PixelSize(width: 96, height: 64))
        let plain = try RasterImage(decoding: data, options: DecodeOptions(limits: Self.allowed))
        expectPixels(plain.posterFrame, equals: Scene.plain)
        #expect(plain.info == info && plain.isOpaque)

        // Twice the size: each pixel four times, as sharp as it was.
        let large = try RasterImage(
            decoding: data,
            options: DecodeOptions(
                targetSize: .fit(width: 192, height: 500), limits: Self.allowed))
        let doubled = PixelBuffer.drawn(PixelSize(width: 192, height: 128)) { x, y in
            Scene.plain[x / 2, y / 2] ?? Pixel(red: 0, green: 0, blue: 0)
        }
        expectPixels(large.posterFrame, equals: doubled)

        // The middle of it.
        let filled = try RasterImage(
            decoding: data,
            options: DecodeOptions(
                targetSize: .fill(width: 64, height: 64), limits: Self.allowed))
        let middle = PixelBuffer.drawn(PixelSize(width: 64, height: 64)) { x, y in
            Scene.plain[x + 16, y] ?? Pixel(red: 0, green: 0, blue: 0)
        }
        expectPixels(filled.posterFrame, equals: middle)
        let capped = try RasterImage(
            decoding: data,
            options: DecodeOptions(targetSize: .maximum(1000), limits: Self.allowed))
        #expect(capped.pixelSize == PixelSize(width: 96, height: 64))
    }

    @Test(
        "D1: the size is that of width, height and view box",
        arguments: [
            ("width='20' height='10'", 20, 10), ("width='1in' height='72pt'", 96, 96),
            ("width='10mm' height='1cm'", 38, 38), ("viewBox='0 0 30.4 20.5'", 30, 21),
            ("width='60' viewBox='0 0 30 20'", 60, 40), ("height='10' viewBox='0 0 30 20'", 15, 10),
            ("width='100%' height='100%' viewBox='0 0 30 20'", 30, 20), ("", 300, 150),
            ("width='0.1' height='0.1'", 1, 1), ("style='width:12px;height:7px'", 12, 7),
            ("width='-5' height='1e999' viewBox='0 0 7 8'", 7, 8),
        ])
    func size(attributes: String, width: Int, height: Int) throws {
        let text = "<svg \(Self.names) \(attributes)><rect width='9999' height='9999'/></svg>"
        let image = try Self.image(text)
        #expect(image.pixelSize == PixelSize(width: width, height: height))
        #expect(image.isOpaque || width < 2 || attributes.contains("viewBox"))
        #expect(try ImageInfo(probing: Data(text.utf8), limits: Self.allowed) == image.info)
    }

    @Test("D7: limits hold for the drawing and for the result")
    func limits() {
        let huge = "<svg \(Self.names) width='1e8' height='1e8'/>"
        #expect(throws: ImagingError.tooLarge(what: .dimension, found: 100_000_000, limit: 65_535))
        {
            try Self.image(huge)
        }
        #expect(
            throws: ImagingError.tooLarge(
                what: .resultPixels, found: 900_000_000, limit: 100_000_000)
        ) {
            try Self.image(Self.drawing(""), target: .fit(width: 30_000, height: 30_000))
        }
        #expect(throws: ImagingError.tooLarge(what: .dimension, found: 40_000, limit: 32_767)) {
            try Self.image(Self.drawing(""), target: .fill(width: 40_000, height: 1))
        }
        let bytes = DecodeLimits(maximumBytes: 20, allowsSVG: true)
        #expect(throws: ImagingError.self) { try Self.image(Self.drawing(""), limits: bytes) }
    }

    @Test(
        "D1: what programs write is drawn",
        arguments: [
            // Prolog and namespaces.
            "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\n<!-- a --><!DOCTYPE svg PUBLIC "
                + "'-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/a.dtd'>\(drawing(full))",
            "<s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>"
                + "<s:rect width='1' height='1' fill='red'/></s:svg>",
            "<?xml version='1.0' encoding='ISO-8859-1'?>\(drawing(full))",
            // What editors add.
            drawing(
                "<metadata><x:RDF xmlns:x='http://x'>&amp;<x:image/></x:RDF></metadata>"
                    + "<i:namedview xmlns:i='http://i'><grid/></i:namedview><?xpacket end='w'?>"
                    + "<title>T</title><script>alert(1)</script><filter id='f'/>"
                    + "<rect i:label='L' xmlns:i='http://i' onclick='x()' width='10' height='10' "
                    + "style='fill:red;filter:none;-inkscape-stroke:none;marker:none'/>"),
            // Style sheets.
            drawing(
                "<style><![CDATA[/* a */ @media print{.a{fill:blue}} .a , .b{fill:red;x:y}\n"
                    + "rect:hover{fill:blue} ]]></style><rect class='a' width='10' height='10'/>"),
            // References: clip, mask, gradient, use, symbol, marker.
            drawing(
                "<defs><clipPath id='c'><rect width='10' height='10'/></clipPath>"
                    + "<mask id='m'><rect width='10' height='10' fill='white'/></mask>"
                    + "<linearGradient id='g'><stop stop-color='red'/></linearGradient>"
                    + "<linearGradient id='h' xlink:href='#g'/></defs>"
                    + "<style>.k{clip-path:url(#c);mask:url(\"#m\")}</style>"
                    + "<rect class='k' width='10' height='10' fill='url(#h) blue'/>"),
            drawing(
                "<symbol id='s' viewBox='0 0 1 1'><rect width='1' height='1' fill='red'/></symbol>"
                    + "<use xlink:href='#s' width='10' height='10'/>"),
            drawing(
                "<marker id='k' overflow='visible'><rect x='-9' y='-9' width='30' height='30' "
                    + "fill='red'/></marker><path d='M1 1h1' marker-start='url(#k)'/>"),
            drawing("<switch><foreignObject/><g transform='scale(2)'>\(full)</g></switch>"),
            drawing(
                "<path stroke='red' stroke-width='20' stroke-dasharray='9 1' d='M0 5h9'/>\(full)"),
            drawing("<a xlink:href='http://example.org'>\(full)</a>"),
            // A rule for all svg elements counts once.
            "<svg \(names) viewBox='0 0 10 10'><style>svg{transform:scale(1)}</style>\(full)</svg>",
        ])
    func accepted(text: String) throws {
        let image = try Self.image(text).posterFrame
        for (x, y) in [(0, 0), (image.size.width / 2, image.size.height / 2)] {
            expectPixel(image, at: x, y, equals: Pixel(red: 255, green: 0, blue: 0))
        }
        #expect(RasterFormat(sniffing: Data(text.utf8)) == .svg)
    }
    static let full = "<rect width='10' height='10' fill='red'/>"

    @Test("D1: text is drawn")
    func text() throws {
        let image = try Self.image(
            Self.drawing("<text y='9' font-size='9'><a>W<tspan>W</tspan></a></text>"),
            target: .fit(width: 100, height: 100)
        ).posterFrame
        #expect((0..<100).contains { image[$0, 60]?.alpha == 255 })
    }

    @Test("D1: strips fit each other")
    func strips() throws {
        // So many shapes that a strip has a few rows only.
        let many = String(repeating: "<circle r='1' cx='-9'/>", count: 3000)
        let body =
            "<g transform='rotate(30 5 5)'><path d='M1 1L9 2L5 9z' fill='red' stroke='blue'/></g>"
        let size = TargetSize.fit(width: 500, height: 500)
        let whole = try Self.image(Self.drawing(body), target: size).posterFrame
        let parts = try Self.image(Self.drawing(body + many), target: size).posterFrame
        expectPixels(parts, equals: whole, within: 1)
    }

    @Test(
        "D7: what costs without bound or lies elsewhere is refused, with the reason",
        arguments: [
            ("<g filter='url(#f)'/>", SVGRefusal.filter),
            ("<g style='fill:red;FILTER : blur(3px)'/>", .filter),
            ("<style>.a{/**/filter/**/:/**/url(#f)}</style>", .filter),
            ("<g style='fil/**/ter:url(#f)'/><g filter='&#117;rl(#f)'/>", .filter),
            ("<g style='f\\69lter:url(#f)'/>", .styleEscape),
            ("<style>.a{f\\69lter:url(#f)}</style>", .styleEscape),
            ("<style>@import 'a.css';</style>", .styleRule),
            ("<style>g g{mask:url(#m)}</style>", .styleRule),
            ("<style>.a:hover,*{marker-mid:url(#m)}</style>", .styleRule),
            ("<style>.a{fill:url(http://example.org/a)}</style>", .externalReference),
            ("<pattern id='p'/><rect fill='url(#p)'/>", .pattern),
            ("<pattern id='p'/><g style=\"stroke : url( '#p' )\"/>", .pattern),
            ("<image href='data:image/png;base64,AAAA'/>", .embeddedImage),
            ("<s:image xmlns:s='http://www.w3.org/2000/svg'/>", .embeddedImage),
            ("<use href='other.svg#a'/>", .externalReference),
            ("<use xlink:href='file:///etc/passwd'/>", .externalReference),
            (
                "<x:g xmlns:x='http://www.w3.org/2000/svg'><use z:href='a' "
                    + "xmlns:z='http://www.w3.org/1999/xlink'/></x:g>", .externalReference
            ),
            ("<rect fill='url(http://example.org/#a)'/>", .externalReference),
            ("<rect font-family='url(http://example.org/#a)'/>", .externalReference),
            ("<rect clip-path='inset(1px) url(http://a)'/>", .externalReference),
            ("<g id='a'><use href='#a'/></g>", .circularReference),
            ("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>", .circularReference),
            ("<mask id='m' mask='url(#m)'/><g mask='url(#m)'/>", .circularReference),
            ("&entity;", .entity), ("<g id='&entity;'/>", .entity),
            ("<?xml-stylesheet href='a.css'?>", .styleSheetInstruction),
        ])
    func refused(body: String, why: SVGRefusal) {
        #expect(Self.refusal(Self.drawing(body)) == why)
    }

    @Test("D7: other encodings and declarations of its own are refused")
    func encodings() {
        let text = Self.drawing("")
        #expect(Self.refusal("<?xml version='1.0' encoding='UTF-16'?>" + text) == .encoding)
        #expect(
            Self.refusal("<?xml version='1.0' encoding='ISO-8859-1'?><!-- é -->" + text)
                == .encoding)
        #expect(Self.refusal("<?xml version='1.0' encoding=\"utf-7\"?>" + text) == .encoding)
        let wide = Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        for data in [Data([0xFE, 0xFF]) + wide, Data(text.utf8) + [0xFF]] {
            #expect(RasterFormat(sniffing: data) == .svg)
            #expect(throws: ImagingError.svgRefused(.encoding)) {
                try RasterImage(decoding: data, options: DecodeOptions(limits: Self.allowed))
            }
        }
        let bomb = "<!DOCTYPE svg [<!ENTITY a 'b'><!ENTITY b '&a;&a;'>]>" + text
        #expect(RasterFormat(sniffing: Data(bomb.utf8)) == .svg)
        #expect(Self.refusal(bomb) == .internalSubset)
    }

    /// Small files that would take long, or much memory.
    static var attacks: [(String, String, SVGRefusal)] {
        func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        let chain = (0..<11).map { index in
            "<g id='u\(index + 1)'>\(many("<use href='#u\(index)'/>", 10))</g>"
        }
        let zigzag = (0..<8000).map { "L\($0 * 7919 % 1000) \($0 % 2 * 1000)" }.joined()
        let uses = (0..<500).map { "<g id='u\($0)'><use href='#u\($0 + 1)'/></g>" }.joined()
        let stops = "<linearGradient id='g'>\(many("<stop/>", 20_000))</linearGradient>"
        return [
            ("use", "<g id='u0'>\(full)</g>" + chain.joined(), .tooComplex),
            ("crossings", "<path d='M0 0\(zigzag)'/>", .tooComplex),
            (
                "wide strokes", "<path stroke='red' stroke-width='1e6' d='M0 0\(zigzag)'/>",
                .tooComplex
            ),
            ("dashes", "<path stroke='red' stroke-dasharray='.01' d='M0 0h1e6'/>", .tooComplex),
            (
                "inherited dashes", "<g style='stroke-dasharray:.01'><path d='M0 0h1e6'/></g>",
                .tooComplex
            ),
            (
                "dashes of a class", "<style>.a{stroke-dasharray:.01}</style><path d='M0 0h1e6'/>",
                .tooComplex
            ),
            ("dashes in em", "<path stroke-dasharray='1em' d='M0 0h1'/>", .tooComplex),
            (
                "markers",
                "<marker id='k'><path marker-mid='url(#l)' d='M0 0\(many("h1", 3000))'/></marker>"
                    + "<marker id='l'>\(full)</marker>"
                    + "<path style='marker:url(#k)' d='M0 0\(many("h1", 3000))'/>", .tooComplex
            ),
            ("text", "<text>\(many("W8@", 9000))</text>", .tooComplex),
            ("stops", stops + many("<rect fill='url(#g)'/>", 1000), .tooComplex),
            (
                "scales",
                many("<g transform='scale(1000)'>", 3) + many("<circle r='1'/>", 2000)
                    + many("</g>", 3), .tooComplex
            ),
            (
                "clips",
                "<clipPath id='c'>\(many("<circle r='9'/>", 90))</clipPath>"
                    + "<g clip-path='url(#c)'>\(many(full, 900))</g>", .tooComplex
            ),
            (
                "selectors",
                "<style>\(many(".a g .b{fill:red}", 2000))</style>\(many("<g/>", 9000))",
                .tooComplex
            ),
            (
                "references of a class",
                "<style>\(many(".a{mask:url(#m)}", 9000))</style>\(many("<g class='a'/>", 9000))",
                .tooComplex
            ),
            ("elements", many("<g/>", 50_001), .tooManyElements),
            ("depth", many("<g>", 70) + many("</g>", 70), .tooDeep),
            ("chain", uses, .tooDeep),
            (
                "attributes", "<g \((0..<300).map { "a\($0)=''" }.joined(separator: " "))/>",
                .tooManyElements
            ),
            (
                "namespaces", "<g \((0..<90).map { "xmlns:a\($0)='b'" }.joined(separator: " "))/>",
                .tooManyElements
            ),
            ("bytes", "<!--\(many("a", 4_200_000))-->", .tooManyBytes),
        ]
    }

    @Test("D7: small files that would cost much are refused before anything is drawn")
    func bombs() {
        for (name, body, why) in Self.attacks {
            let found = Self.refusal(Self.drawing(body), target: .fit(width: 2000, height: 2000))
            #expect(found == why, "\(name)")
        }
    }

    @Test("D7: drawing ends when its time is over")
    func time() {
        let body = String(repeating: "<rect width='10' height='10' opacity='.01'/>", count: 2000)
        let limits = DecodeLimits(allowsSVG: true, maximumRenderTime: .zero)
        #expect(throws: ImagingError.svgRefused(.takesTooLong)) {
            try Self.image(
                Self.drawing(body), target: .fit(width: 1000, height: 1000), limits: limits)
        }
    }

    @Test("promise 24: every truncation and flipped bytes throw or draw")
    func damage() throws {
        let data = try Fixture.data("scene.svg")
        for count in 0..<data.count - 1 {
            let error = #expect(throws: ImagingError.self) {
                try RasterImage(
                    decoding: data.prefix(count), options: DecodeOptions(limits: Self.allowed))
            }
            guard count > 200 else { continue }
            #expect(error == .truncated(format: .svg), "\(count): \(error?.description ?? "")")
        }
        for index in data.indices {
            var changed = data
            changed[index] ^= 0x15
            _ = try? RasterImage(decoding: changed, options: DecodeOptions(limits: Self.allowed))
        }
    }

    @Test(
        "D1: what is not well formed says so",
        arguments: [
            "<svg \(names)><g></svg>", "<svg \(names)></g></svg>", "<svg \(names)/><svg/>",
            "<svg \(names) a='1' a='2'/>", "<svg \(names) a=1/>", "<svg \(names)>&#0;</svg>",
            "<svg \(names)>\u{1}</svg>", "<svg \(names) a='<'/>", "<svg \(names)/>text", "<svg/>",
            "<svg xmlns='http://www.w3.org/1999/xhtml'/>", "<svg \(names)><![x]></svg>",
            drawing("<g id='a'/><g id='a'/><use href='#a'/>"),
        ])
    func malformed(text: String) {
        let error = #expect(throws: ImagingError.self) { try Self.image(text) }
        guard case .corrupt(format: .svg, _) = error else {
            Issue.record("\(text): \(error?.description ?? "nothing")")
            return
        }
    }

    @Test(
        "D1: what only looks like SVG is none",
        arguments: [
            "<!DOCTYPE html><html><svg/></html>", "<div><svg/></div>", "<svgx/>", "<?xml?>",
            "text <svg/>", "<!-- <svg/> -->",
        ])
    func others(text: String) {
        #expect(RasterFormat(sniffing: Data(text.utf8)) == nil)
    }
}
