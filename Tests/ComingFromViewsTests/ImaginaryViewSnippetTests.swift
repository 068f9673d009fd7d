import CGTK
import DisplaySupport
import Testing
import VitrineGTK
import VitrineTesting

/// Runs what the article shows of views, sample by sample.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct ImaginaryViewSnippetTests {
    private let wall: Wall

    init() throws { wall = try Wall() }

    @Test("S3, V1: a picture, in each widget that has a place for one") func widgets() async throws
    {
        let url = try wall.serve("a")
        for make in [gtk_picture_new, gtk_image_new, gtk_button_new] {
            let widget = try wall.hang(make())
            display(url, in: widget)
            let window = try await wall.window(with: widget)
            #expect(await pump { isThere(widget) })
            gtk_window_destroy(window)
        }
    }

    @Test("S3, V2, V3: placeholder, processors, transition, completion; and giving up")
    func placeholder() async throws {
        let gate = Gate()
        let url = try wall.serve("a", heldBy: gate)
        let placeholder = try RasterImage(
            decoding: TestPicture.solid(Pixel(red: 9, green: 9, blue: 9)))
        let picture = try wall.hang(gtk_picture_new())
        let window = try await wall.window(with: picture)
        var ends: [Result<ImageResponse, SetImageError>] = []
        display(url, in: picture, until: placeholder) { ends.append($0) }
        // What is shown is the placeholder's image, which no response belongs to.
        #expect(await pump { isThere(picture) })
        #expect(picture.vitrine.response() == nil)
        #expect(await pump { wall.transport.active == 1 })
        giveUp(picture)
        #expect(ends.count == 1)
        if case .failure(let error) = ends.first {
            #expect(error.isCancelled)
        } else {
            Issue.record("It was not given up.")
        }
        gate.open()
        display(url, in: picture, until: placeholder) { ends.append($0) }
        #expect(await pump { ends.count == 2 })
        let image = try #require(try ends.last?.get().image)
        #expect(image.posterFrame[0, 0]?.alpha == 0)
        gtk_window_destroy(window)
    }

    @Test("S3, V6: a displayer of one's own") func displayer() async throws {
        let label = try #require(gtk_label_new("below"))
        let window = try await wall.window(with: label)
        let widget = try wall.hang(
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self))
        func title() -> String? { gtk_window_get_title(window).map { String(cString: $0) } }
        let target = TitleTarget(window)
        target.show(.placeholder)
        #expect(title() == "…")
        showSize(of: try wall.serve("a"), in: window)
        #expect(await pump { title() == "24 × 16" })
        wall.transport.answerOthers(with: .status(404))
        let missing = try #require(URL(string: "https://pictures.example/missing"))
        showSize(of: missing, in: window)
        #expect(await pump { title()?.contains("404") == true })
        _ = widget
        gtk_window_destroy(window)
    }

    @Test("S3, V6: a place of one's own for a paintable") func icon() async throws {
        let entry = try wall.hang(gtk_entry_new())
        showIcon(try wall.serve("a"), in: entry)
        let window = try await wall.window(with: entry)
        #expect(await pump { isThere(entry, in: iconOfEntry) })
        let place = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: GtkEntry.self)
        #expect(
            gtk_entry_get_icon_paintable(place, GTK_ENTRY_ICON_PRIMARY)
                == entry.vitrine.paintable(in: iconOfEntry)?.pointer)
        gtk_window_destroy(window)
    }
}
