import FoundationEssentials
import VitrineImaging

/// Every kind of BMP: good, questionable, bad, and related to BMP.
struct BMPSuite: Corpus {
    let name = "bmpsuite"
    let promise =
        "Good files are exact; of the questionable ones at least 90 % are as their pictures show; "
        + "bad ones neither crash nor hang. "
        + "Where samples are wider than 8 bits, 1 is for rounding: references are rounded too."

    func findings(_ files: Files) -> [Finding] {
        files.matching("", ".bmp").map { path in
            let group = [
                "g": "good", "q": "questionable", "b": "bad", "x": "related",
            ][String(path.prefix(1))]
            do {
                let attempt = Attempt(try files.data(path))
                if group == "bad" {
                    return attempt.finding(path, "bad", refusedIsExpected: true) { image in
                        (true, "decoded")
                    }
                }
                return attempt.finding(path, group ?? "other") { image in
                    try judge(image, String(path.dropFirst(2).dropLast(4)), files)
                }
            } catch {
                return Finding(
                    file: path, group: "unreadable", isAsExpected: false, seen: "\(error)")
            }
        }
    }

    /// A few pictures may be shown in more than one way.
    private func judge(
        _ image: RasterImage, _ stem: String, _ files: Files
    ) throws -> (Bool, String) {
        let names = Self.references[stem] ?? ["\(stem).png"]
        var best: (Bool, String)?
        for name in names {
            let data = try files.data("html/\(name)")
            let reference = try RasterImage(decoding: data).posterFrame
            let isWide = image.info.bitsPerSample > 8
            let result = image.compared(reference, within: isWide ? 1 : 0)
            if result.0 { return (true, names.count == 1 ? result.1 : "as \(name)") }
            best = best ?? result
        }
        return best ?? (false, "has no reference")
    }

    /// As its page of HTML assigns them.
    private static let references: [String: [String]] = {
        var list: [String: [String]] = [
            "pal1wb": ["pal1.png"], "pal1huffmsb": ["pal1.png"], "pal4rle": ["pal4.png"],
            "rgb16bfdef": ["rgb16.png"], "rgb16-565pal": ["rgb16-565.png"],
            "rgb16faketrns": ["rgb16.png", "rgb16faketrns.png"],
            "rgb32fakealpha": ["rgb24.png", "fakealpha.png"], "rgb24jpeg": ["rgb24.jpg"],
            "pal8nonsquare": ["pal8nonsquare-e.png", "pal8nonsquare-v.png"],
        ]
        for stem in ["pal4rletrns", "pal4rlecut", "pal8rletrns", "pal8rlecut"] {
            list[stem] = ["\(stem).png", "\(stem)-0.png", "\(stem)-b.png"]
        }
        for stem in [
            "pal8-0", "pal8rle", "pal8topdown", "pal8offs", "pal8oversizepal", "pal8os2",
            "pal8os2-sz", "pal8os2-hs", "pal8os2sp", "pal8os2v2", "pal8os2v2-16", "pal8os2v2-sz",
            "pal8os2v2-40sz", "rgb24rle24", "pal8v4", "pal8v5", "ba-bm",
        ] {
            list[stem] = ["pal8.png"]
        }
        for stem in [
            "rgb24pal", "rgb24largepal", "rgb24prof", "rgb24prof2", "rgb24lprof", "rgb24png",
            "rgb32", "rgb32bfdef", "rgb32bf", "rgb32h52", "rgb32-xbgr", "rgb32-111110",
        ] {
            list[stem] = ["rgb24.png"]
        }
        for stem in ["rgba32-1", "rgba32-2", "rgba32abf", "rgba32h56", "rgba64"] {
            list[stem] = ["rgba32.png"]
        }
        return list
    }()
}
