import CGTK
import DisplaySupport
import Foundation
import PixelSupport
import Testing
import VitrineImaging
import VitrineTesting

@testable import VitrineGTK

/// Every state of `setImage` and every slot of a `URLImage` on one picture each. What they show is drawn here,
/// so that neither fonts nor themes count; ``StateSheetTests`` has the default slots.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct StateGoldenTests {
    private let stage: Stage
    private let never = Gate()

    init() throws { stage = try Stage() }

    // MARK: - Pictures

    private static let placeholder = mark(Pixel(red: 120, green: 120, blue: 130)) { x, y in
        abs(x - 48) < 2 || abs(y - 32) < 2
    }
    private static let failed = mark(Pixel(red: 90, green: 20, blue: 30)) { x, y in
        abs(x - 48) < 20 && (abs(x - 48 - y + 32) < 3 || abs(x - 48 + y - 32) < 3)
    }

    /// White marks on a ground.
    private static func mark(_ ground: Pixel, where isMark: (Int, Int) -> Bool) -> RasterImage {
        RasterImage(
            .drawn(PixelSize(width: 96, height: 64)) { x, y in
                isMark(x, y) ? Pixel(red: 255, green: 255, blue: 255) : ground
            })
    }

    private static let coarse = RasterImage(
        .drawn(PixelSize(width: 12, height: 8)) { x, y in
            Pictures.landscape.posterFrame[x * 8 + 4, y * 8 + 4] ?? Stage.red
        })

    private func answer(_ name: String, _ image: RasterImage) throws -> ImageRequest {
        let url = try stage.url(name)
        stage.transport.answer(url, with: .bytes(try image.encoded(as: .png)))
        return ImageRequest(url)
    }

    /// One that never comes.
    private func waiting(_ name: String) throws -> ImageRequest {
        ImageRequest(try stage.serve(name, heldBy: never))
    }

    /// One whose bytes come to two thirds.
    private func halfThere(_ name: String) throws -> ImageRequest {
        let url = try stage.url(name)
        let bytes = try Pictures.landscape.encoded(as: .png)
        stage.transport.answer(
            url,
            with: .bytes(bytes).chunked(by: bytes.count * 2 / 3).pausing(at: never))
        return ImageRequest(url)
    }

    private func previewed(_ name: String) throws -> ImageRequest {
        var request = try halfThere(name)
        request.lowResolution = try answer(name + "-low", Self.coarse)
        return request
    }

    // MARK: - setImage

    /// Widgets of one size, in rows.
    private func arrange(
        _ widgets: [Widget], columns: Int
    ) async throws -> UnsafeMutablePointer<GtkWindow> {
        let room: Widget = gtk_fixed_new()
        for (index, widget) in widgets.enumerated() {
            gtk_widget_set_size_request(widget, 96, 64)
            gtk_fixed_put(
                room.cast(), widget, Double(index % columns * 100), Double(index / columns * 68))
        }
        let rows = (widgets.count + columns - 1) / columns
        return try #require(
            await present(room, width: gint(columns * 100), height: gint(rows * 68)))
    }

    private func sheet(_ widgets: [Widget], columns: Int) throws -> PixelBuffer {
        let cells = try widgets.map { try #require(WidgetPixels($0)).buffer }
        return Golden.sheet(
            stride(from: 0, to: cells.count, by: columns).map {
                Array(cells[$0..<min($0 + columns, cells.count)])
            })
    }

    @Test("V2, D5: every state of setImage looks as it did") func setImage() async throws {
        let there = try answer("there", Pictures.landscape)
        let alpha = try answer("alpha", Pictures.sceneWithAlpha)
        let missing = ImageRequest(try stage.url("missing"))
        typealias Change = (ImageRequest?, PreviousPicture)
        // What is set, whether there is a placeholder and a picture for failures, and what is set then.
        let states: [(ImageRequest?, Bool, Bool, Change?)] = try [
            (nil, false, false, nil),  // empty
            (nil, true, false, nil),  // empty, with a placeholder
            (waiting("waiting"), false, false, nil),  // on its way
            (waiting("waiting"), true, false, nil),  // on its way, with a placeholder
            (halfThere("half"), true, false, nil),  // with progress
            (previewed("preview"), true, false, nil),  // with a preview
            (there, true, false, nil),  // there
            (alpha, true, false, nil),  // there, with alpha: no placeholder shines through
            (missing, true, true, nil),  // failed
            (missing, true, false, nil),  // failed, with a placeholder only
            (missing, false, false, nil),  // failed, with nothing
            (there, true, false, (waiting("waiting"), .kept)),  // another one is wanted: kept
            (there, true, false, (waiting("waiting"), .cleared)),  // cleared, then the placeholder
            (there, false, false, (waiting("waiting"), .cleared)),  // cleared, with no placeholder
            (there, true, true, (missing, .kept)),  // kept, though another one has failed
            (there, true, false, (nil, .cleared)),  // nothing is wanted any more
        ]
        var options = stage.options
        // Their own pixels, whoever would make others of them.
        options.decodesAtShownSize = false
        let widgets: [Widget] = states.map { _ in gtk_picture_new() }
        let window = try await arrange(widgets, columns: 4)
        func set(_ request: ImageRequest?, _ index: Int, _ ends: @escaping @MainActor () -> Void) {
            let state = states[index]
            widgets[index].vitrine.setImage(
                from: request, placeholder: state.1 ? .picture(Self.placeholder) : nil,
                failureImage: state.2 ? .picture(Self.failed) : nil, options: options
            ) { _ in ends() }
        }
        var ended = 0
        for (index, state) in states.enumerated() { set(state.0, index) { ended += 1 } }
        // Four wait for ever.
        #expect(await pump { ended == states.count - 4 })
        for (index, state) in states.enumerated() {
            guard let (request, previous) = state.3 else { continue }
            options.previous = previous
            set(request, index) { ended += 1 }
        }
        #expect(await pump { ended == states.count - 2 })
        func content(_ index: Int) -> ImageContent? { widgets[index].vitrine.paintable()?.content }
        #expect(await pump { content(5)?.isPreview == true })
        #expect(await pump { [3, 4, 12].allSatisfy { content($0)?.isEmpty == false } })
        await WidgetPixels.settle(try #require(gtk_widget_get_parent(widgets[0])))
        try Golden.compare(sheet(widgets, columns: 4), "states-set-image")
        close(window)
    }

    // MARK: - URLImage

    private func picture(_ image: RasterImage) throws -> Widget {
        let texture = try #require(ImageTexture.shared(for: image))
        return gtk_picture_new_for_paintable(texture.pointer)
    }

    /// A bar as long as the part of the bytes that is there, below the preview.
    private func progressSlot(
        _ progress: URLImageProgress, _ preview: URLImagePicture
    ) throws -> Widget {
        let room: Widget = gtk_fixed_new()
        let bar = try picture(Pictures.solid(Pictures.yellow, 8, 8))
        gtk_picture_set_content_fit(bar.opaque, GTK_CONTENT_FIT_FILL)
        bar.vitrine.observe {
            progress.fraction
        } apply: { bar, fraction in
            gtk_widget_set_size_request(bar, gint(90 * (fraction ?? 0.1)), 6)
        }
        let shown = preview.makeWidget()
        gtk_widget_set_size_request(shown, 96, 64)
        gtk_fixed_put(room.cast(), shown, 0, 0)
        gtk_fixed_put(room.cast(), bar, 3, 55)
        return room
    }

    @Test("V7: every slot of a URLImage looks as it did") func urlImage() async throws {
        let requests: [ImageRequest?] = try [
            nil, waiting("waiting"), halfThere("half"), previewed("preview"),
            ImageRequest(stage.url("missing")), answer("there", Pictures.landscape),
            answer("alpha", Pictures.sceneWithAlpha),
        ]
        var options = ImageOptions()
        options.decodesAtShownSize = false
        let widgets: [Widget] = requests.map { request in
            URLImage(request) {
                try? picture(Self.placeholder)
            } inProgress: { progress, preview in
                try? progressSlot(progress, preview)
            } failure: { _, _ in
                try? picture(Self.failed)
            } content: { picture, _ in
                picture
            }.fixedSize(width: 96, height: 64).options(options).loader(stage.loader).makeWidget()
        }
        // In the grace period, and with its slots left out.
        let bare = URLImage(
            try waiting("waiting"), failure: { _, _ in }, content: { picture, _ in picture }
        )
        var patient = options
        patient.gracePeriod = .seconds(600)
        let all =
            widgets + [
                bare.fixedSize(width: 96, height: 64).options(patient).loader(stage.loader)
                    .makeWidget()
            ]
        let window = try await arrange(all, columns: 4)
        #expect(
            await pump {
                all.dropLast().allSatisfy { SlotContainer.child(of: $0) != nil }
                    && Widgets.paintable(in: all[5])?.content.image != nil
                    && Widgets.paintable(in: all[6])?.content.image != nil
                    && Widgets.paintable(in: all[3])?.content.isPreview == true
            })
        #expect(await pump { stage.transport.active == 3 })
        await WidgetPixels.settle(try #require(gtk_widget_get_parent(all[0])))
        try Golden.compare(sheet(all, columns: 4), "states-url-image")
        close(window)
    }
}
