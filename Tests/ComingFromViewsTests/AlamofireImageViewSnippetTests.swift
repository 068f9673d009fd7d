import CGTK
import DisplaySupport
import Testing
import VitrineGTK
import VitrineTesting

/// Runs what the article shows of views, sample by sample.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct AlamofireImageViewSnippetTests {
    private let wall: Wall

    init() throws { wall = try Wall() }

    @Test("S3, V1, V2: a picture with a placeholder") func placeholder() async throws {
        let gate = Gate()
        let picture = try wall.hang(gtk_picture_new())
        show(try wall.serve("a", heldBy: gate), in: picture)
        let window = try await wall.window(with: picture)
        #expect(await pump { isWaiting(picture) })
        gate.open()
        #expect(await pump { isThere(picture) })
        gtk_window_destroy(window)
    }

    @Test("S3, V1: a filter and a transition") func rounded() async throws {
        let picture = try wall.hang(gtk_picture_new())
        showRounded(try wall.serve("a"), in: picture)
        let window = try await wall.window(with: picture)
        #expect(await pump { isThere(picture) })
        let image = try #require(picture.vitrine.response()?.image)
        #expect(image.pixelSize == PixelSize(width: 100, height: 100))
        #expect(image.posterFrame[0, 0]?.alpha == 0)
        #expect(image.posterFrame[50, 50]?.alpha == 255)
        gtk_window_destroy(window)
    }

    @Test("S3, V1: a completion that has the facts") func completion() async throws {
        let gate = Gate()
        let picture = try wall.hang(gtk_picture_new())
        let window = try await wall.window(with: picture)
        var words: [String] = []
        let request = ImageRequest(try wall.serve("a", heldBy: gate))
        showAndTell(request, in: picture) { words.append($0) }
        #expect(await pump { wall.transport.active == 1 })
        picture.vitrine.cancelImageLoad()
        #expect(words == ["given up"])
        gate.open()
        showAndTell(request, in: picture) { words.append($0) }
        #expect(await pump { words.count == 2 })
        #expect(words.last == "from network")
        let gone = try #require(URL(string: "https://pictures.example/gone"))
        wall.transport.answer(gone, with: .status(410))
        showAndTell(ImageRequest(gone), in: picture) { words.append($0) }
        #expect(await pump { words.count == 3 })
        #expect(words.last?.contains("410") == true)
        #expect(await pump { isWaiting(picture) })
        gtk_window_destroy(window)
    }

    @Test("S3, V3, V8: loader and transition of a window, also for what is in memory")
    func subtree() async throws {
        let url = try wall.serve("a")
        let gate = Gate()
        gate.open()
        let picture = try #require(gtk_picture_new())
        let window = try await wall.window(with: picture)
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
        setUp(top, with: wall.loader)
        #expect(picture.vitrine.effectiveOptions.loader === wall.loader)
        #expect(wipe.duration == .milliseconds(300) && !wipe.isNone)
        // Twice, since a window may still be on the way to its size when the first one comes.
        for _ in 0..<2 {
            show(url, in: picture)
            #expect(await pump { isThere(picture) })
            #expect(await pump { picture.vitrine.paintable()?.isMoving == false })
            picture.vitrine.setImage(from: URL?.none)
        }
        show(url, in: picture)
        #expect(isThere(picture))
        #expect(picture.vitrine.paintable()?.isMoving == true)
        #expect(await pump { picture.vitrine.paintable()?.isMoving == false })
        #expect(wall.transport.requests.count == 1)
        gtk_window_destroy(window)
    }

    @Test("S3, V4, V5: a button's picture and background") func button() async throws {
        let button = try wall.hang(gtk_button_new())
        let gate = Gate()
        dress(button, try wall.serve("icon"), try wall.serve("background", heldBy: gate))
        let window = try await wall.window(with: button)
        #expect(await pump { isThere(button) })
        #expect(await pump { wall.transport.active == 1 })
        undress(button)
        #expect(await pump { wall.transport.active == 0 })
        #expect(!isThere(button) && !isThere(button, in: .background))
        gate.open()
        dress(button, try wall.serve("icon"), try wall.serve("background"))
        #expect(await pump { isThere(button) && isThere(button, in: .background) })
        gtk_window_destroy(window)
    }
}
