import Foundation
import Testing

@testable import Vitrine
@testable import VitrineGallery

/// What people read: names, places, titles, facts.
@Suite struct WordsTests {
    @Test(
        "P5: why there is no picture is said without a developer's words, and Retry only where it may help"
    )
    func failures() throws {
        let url = try #require(URL(string: "file:///a"))
        func words(_ reason: ImageError.Reason) -> FailureWords {
            FailureWords(ImageError(reason, url: url))
        }
        let svg = words(.imaging(.formatNotAllowed(format: .svg)))
        #expect(svg.whole == "It is SVG, which is not shown here.")
        #expect(svg.short == svg.whole && !svg.mayHelpToRetry)
        let path = "/" + String(repeating: "folder/", count: 30) + "a.png"
        let file = words(.file(path: path, why: "permission is denied"))
        #expect(file.short == "The file cannot be read: permission is denied.")
        #expect(file.whole == "The file \(path) cannot be read: permission is denied.")
        #expect(file.mayHelpToRetry)
        let status = words(.status(503))
        #expect(status.short == ImageError.Reason.status(503).description)
        #expect(status.mayHelpToRetry)
        for reason in [
            ImageError.Reason.invalidURL("x"), .unsupportedScheme("ftp"),
            .imaging(.codecMissing(format: .heic)), .imaging(.unsupportedFormat("PDF")),
        ] {
            #expect(!words(reason).mayHelpToRetry)
        }
    }

    @Test(
        "P5, promise 29: pictures are called by their file's name, without what may be secret",
        arguments: [
            ("https://host/a/b%20c.jpg?token=x", "b c.jpg", "host/a"),
            ("https://user:word@host:8080/a.png", "a.png", "host:8080"),
            ("https://host/", "host", "host"), ("https://host", "host", "host"),
            ("https://host/a/b/", "b", "host/a/b"),
            ("https://host/%E2%80%AEgnp.exe", "gnp.exe", "host"),
            ("https://host/%00%0A", "host", "host"),
            ("file:///home/me/x.gif", "x.gif", "/home/me"), ("file:///x.gif", "x.gif", "/"),
            ("data:image/gif;base64,R0lGODdh", "Picture in a URL", ""),
        ])
    func names(address: String, name: String, place: String) throws {
        let item = GalleryItem(try #require(URL(string: address)))
        #expect(item.name == name)
        #expect(item.place == place)
    }

    @Test("P5: titles count") func titles() {
        #expect(GalleryTitle(pictures: 0, failed: 0).ofWindow == "Gallery")
        #expect(GalleryTitle(pictures: 1, failed: 0).subtitle == "1 picture")
        #expect(GalleryTitle(pictures: 2000, failed: 3).subtitle == "2,000 pictures  ·  3 failed")
        #expect(GalleryTitle(pictures: 9, failed: 1).ofWindow == "Gallery (9 pictures, 1 failed)")
        #expect(GalleryTitle("a.png", at: 0, of: 1000).ofWindow == "a.png (1 of 1,000)")
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            #expect(GalleryTitle.grouped(number) == text)
        }
    }

    @Test("P5: what is known of a picture, in a line and spoken") func facts() {
        var facts = PictureFacts(
            size: "1600 × 900", format: "JPEG", bytes: "310 KB", source: .network)
        #expect(facts.line == "1600 × 900  ·  JPEG  ·  310 KB")
        #expect(facts.spoken == "1600 by 900 pixels, JPEG, from the network")
        facts.bytes = nil
        #expect(facts.line == "1600 × 900  ·  JPEG")
        for (count, text) in [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 KB"),
            (99_949, "99.9 KB"), (99_950, "100 KB"), (310_400, "310 KB"), (999_499, "999 KB"),
            (999_500, "1.0 MB"), (4_500_000, "4.5 MB"), (2_000_000_000, "2.0 GB"),
            (Int.max, "9223372037 GB"),
        ] {
            #expect(PictureFacts.bytes(count) == text)
        }
    }

    @Test("P5: every source has a meaning and an icon of its own") func origins() {
        #expect(
            Set(ImageResponse.Source.allCases.map(PictureOrigin.init)).count
                == PictureOrigin.allCases.count)
        #expect(PictureOrigin(.originals) == .memory && PictureOrigin(.revalidated) == .revalidated)
        #expect(Set(PictureOrigin.allCases.map(\.icon)).count == PictureOrigin.allCases.count)
        #expect(Set(PictureOrigin.allCases.map(\.words)).count == PictureOrigin.allCases.count)
    }

    @Test("P5: of what was loaded ahead its way here is told once, and then memory")
    func loadedAhead() throws {
        let item = GalleryItem(try #require(URL(string: "http://host/a.png")))
        let origins = OriginsAhead()
        func end(_ stage: LoadEvent.Stage, _ source: ImageResponse.Source) {
            let facts = LoadEvent.Facts(source: source)
            origins.observe(
                LoadEvent(
                    loads: [1], url: item.url, stage: stage,
                    moment: .ended(after: .zero, facts), time: .zero))
        }
        #expect(origins.tell(.memory, of: item) == .memory)
        end(.load, .network)
        end(.load, .memory)
        end(.decode, .disk)
        #expect(origins.tell(.memory, of: item) == .network)
        #expect(origins.tell(.memory, of: item) == .memory)
        end(.load, .disk)
        #expect(origins.tell(.disk, of: item) == .disk)
        #expect(origins.tell(.memory, of: item) == .memory)
    }
}
