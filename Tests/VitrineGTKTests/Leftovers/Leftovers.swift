import CGTK
import Testing
import Vitrine

@testable import VitrineGTK

/// What must be gone once a window is.
@MainActor final class Leftovers {
    private struct Remains {
        weak var image: WidgetImage?
        weak var load: ViewLoad?
        weak var core: PaintableCore?
        weak var model: URLImageModel?
        let paintable: WeakReference<GObject>?
        let widget: WeakWidget
    }

    private var remains: [Remains] = []
    private let textures = ImageTexture.table.count

    /// How many widgets it watches.
    var count: Int { remains.count }

    /// Watches a widget, and the picture in it if one was set; of a `URLImage` also what decides about it.
    func watch(
        _ widget: UnsafeMutablePointer<GtkWidget>, decidedBy model: URLImageModel? = nil
    ) {
        let image = WidgetImages.existing(of: widget)?.image(named: ImageSlot.picture.name)
        let paintable = widget.vitrine.paintable() ?? Widgets.paintable(in: widget)
        remains.append(
            Remains(
                image: image, load: image?.load, core: paintable?.core, model: model,
                paintable: paintable.map { WeakReference($0.pointer.cast()) },
                widget: WeakWidget(widget)))
    }

    /// What is still there, a word for each kind; none in the end.
    var kinds: Set<String> {
        var kinds: Set<String> = []
        for one in remains {
            if one.image != nil { kinds.insert("binding") }
            if one.load != nil { kinds.insert("load") }
            if one.model != nil { kinds.insert("model") }
            if one.core != nil { kinds.insert("paintable's core") }
            if one.paintable?.with({ _ in true }) == true { kinds.insert("paintable") }
            if one.widget.with({ _ in true }) == true { kinds.insert("widget") }
        }
        if ImageTexture.table.count > textures { kinds.insert("texture") }
        return kinds
    }
}
