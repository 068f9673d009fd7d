import CGTK
import DisplaySupport
import Foundation
import Testing
import VitrineTesting

@testable import VitrineGTK

/// At what size pictures are decoded, and that layouts stay as they are.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct ShownSizeTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func decoded(_ widget: UnsafeMutablePointer<GtkWidget>) -> PixelSize? {
        widget.vitrine.response()?.image.pixelSize
    }

    @Test(
        "V11: decoded for the area in which it is shown, and again when that grows, without a flash"
    )
    func grows() async throws {
        let url = try stage.serve("a", width: 1000, height: 1000)
        let picture = try #require(gtk_picture_new())
        var options = stage.options
        options.layout = ImageLayout.none
        picture.vitrine.setImage(from: url, options: options)
        let window = try #require(await present(picture, width: 100, height: 100))
        #expect(await pump { decoded(picture)?.width == 112 })
        #expect(stage.transport.requests.count == 1)

        var wasEmpty = false
        func isShown(_ width: Int) -> Bool {
            wasEmpty = wasEmpty || picture.vitrine.paintable()?.content.image == nil
            return decoded(picture)?.width == width
        }
        gtk_window_set_default_size(window, 110, 110)
        #expect(await pump { gtk_widget_get_width(picture) == 110 })
        gtk_window_set_default_size(window, 300, 300)
        #expect(await pump { isShown(320) })
        #expect(!wasEmpty && stage.transport.requests.count == 1)
        gtk_window_set_default_size(window, 40, 40)
        #expect(await pump { isShown(48) })
        #expect(!wasEmpty)
        close(window)
    }

    @Test("V11: no larger than the picture is: it is not loaded again for a larger area")
    func whole() async throws {
        let url = try stage.serve("a", width: 60, height: 60)
        let picture = try #require(gtk_picture_new())
        var options = stage.options
        options.layout = ImageLayout.none
        options.cachePolicy = .reload
        picture.vitrine.setImage(from: url, options: options)
        let window = try #require(await present(picture, width: 100, height: 100))
        #expect(await pump { decoded(picture)?.width == 60 })
        gtk_window_set_default_size(window, 300, 300)
        #expect(await pump { WidgetPixels(picture)?.width == 300 })
        await stage.loader.waitUntilIdle()
        #expect(stage.transport.requests.count == 1)
        close(window)
    }

    @Test("V11: covering pictures have the pixels that the area needs, once their shape is known")
    func cover() async throws {
        let url = try stage.serve("wide", width: 1600, height: 400)
        let picture = try #require(gtk_picture_new())
        var options = stage.options
        options.layout = ImageLayout.none
        options.contentFit = .cover
        picture.vitrine.setImage(from: url, options: options)
        let window = try #require(await present(picture, width: 100, height: 100))
        #expect(await pump { decoded(picture)?.height == 112 })
        #expect(decoded(picture)?.width == 448)
        close(window)

        let fixed = try #require(gtk_picture_new())
        options.layout = .fixed(PointSize(width: 80, height: 40))
        fixed.vitrine.setImage(from: url, options: options)
        let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        gtk_widget_set_halign(fixed, GTK_ALIGN_START)
        gtk_widget_set_valign(fixed, GTK_ALIGN_START)
        gtk_box_append(box.cast(), fixed)
        let second = try #require(await present(box, width: 200, height: 200))
        #expect(await pump { decoded(fixed) == PixelSize(width: 80, height: 40) })
        close(second)
    }

    @Test("V16: a fixed size and an aspect do not jump; without them the picture's own counts")
    func layouts() async throws {
        let url = try stage.serve("a", width: 300, height: 150)
        for (layout, stays) in [
            (ImageLayout.fixed(PointSize(width: 90, height: 60)), true), (.aspectRatio(2), true),
            (.natural, false),
        ] {
            let gate = Gate()
            try stage.serve("a", width: 300, height: 150, heldBy: gate)
            let picture = try #require(gtk_picture_new())
            let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            gtk_picture_set_can_shrink(picture.opaque, 0)
            gtk_box_append(box.cast(), picture)
            gtk_box_append(box.cast(), gtk_label_new("below"))
            var options = stage.options
            options.layout = layout
            options.cachePolicy = .reload
            picture.vitrine.setImage(from: url, options: options)
            let window = try #require(await present(box, width: 400, height: 400))
            #expect(await pump { stage.transport.active == 1 }, "\(layout)")
            let height = gtk_widget_get_height(picture)
            gate.open()
            #expect(await pump { decoded(picture) != nil })
            if stays {
                _ = await pump(within: 0.2) { false }
                #expect(gtk_widget_get_height(picture) == height, "\(layout)")
            } else {
                #expect(await pump { gtk_widget_get_height(picture) > height + 50 }, "\(layout)")
            }
            await stage.transport.waitUntilIdle()
            close(window)
        }
    }

    @Test("V11: a request with a size of its own, and options that say so, are left alone")
    func ownSize() async throws {
        let url = try stage.serve("a", width: 500, height: 500)
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 100, height: 100))
        var request = ImageRequest(url)
        request.targetSize = .fit(width: 33, height: 33)
        picture.vitrine.setImage(from: request, options: stage.options)
        #expect(await pump { decoded(picture)?.width == 33 })
        var options = stage.options
        options.decodesAtShownSize = false
        picture.vitrine.setImage(from: url, options: options)
        #expect(await pump { decoded(picture)?.width == 500 })
        options = stage.options
        options.contentFit = ContentFit.none
        picture.vitrine.setImage(from: url, options: options)
        #expect(await pump { picture.vitrine.paintable()?.contentFit == ContentFit.none })
        #expect(decoded(picture)?.width == 500)
        close(window)
    }

    @Test("V11: an image of a size in pixels is decoded for that") func icon() async throws {
        let url = try stage.serve("a", width: 500, height: 500)
        let image = try #require(gtk_image_new())
        gtk_image_set_pixel_size(image.opaque, 64)
        gtk_widget_set_halign(image, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(image, GTK_ALIGN_CENTER)
        image.vitrine.setImage(from: url, filters: [.circle], options: stage.options)
        let window = try #require(await present(image, width: 300, height: 300))
        #expect(await pump { decoded(image) != nil })
        #expect(decoded(image)?.width == 64)
        close(window)
    }

    private final class SizeTarget: ImageTarget {
        var widths: [Int] = []

        func show(_ content: ImageTargetContent) {
            switch content {
            case .picture(let response, _): widths.append(response.image.pixelSize.width)
            case .nothing, .placeholder, .preview, .failure: widths.append(0)
            }
        }
    }

    @Test(
        "V6, V11: a target of one's own is given the picture in the size of its widget, as that grows"
    )
    func ownTarget() async throws {
        let url = try stage.serve("a", width: 1000, height: 1000)
        let area = try #require(gtk_drawing_area_new())
        let target = SizeTarget()
        var options = stage.options
        // However slow the machine is.
        options.gracePeriod = .seconds(600)
        area.vitrine.setImage(from: url, on: target, named: "area", options: options)
        let window = try #require(await present(area, width: 100, height: 100))
        #expect(await pump { target.widths == [112] })
        gtk_window_set_default_size(window, 300, 300)
        #expect(await pump { target.widths == [112, 320] })
        #expect(stage.transport.requests.count == 1)
        gtk_window_set_default_size(window, 310, 310)
        #expect(await pump { gtk_widget_get_width(area) == 310 })
        _ = await pump(within: 0.1) { false }
        #expect(target.widths == [112, 320], "it is large enough")
        // One that comes into a widget that is shown already follows it as well.
        let late = SizeTarget()
        area.vitrine.setImage(from: url, on: late, named: "late", options: options)
        #expect(await pump { late.widths == [320] })
        gtk_window_set_default_size(window, 600, 600)
        #expect(await pump { late.widths.last == 640 && target.widths.last == 640 })
        close(window)
    }
}
