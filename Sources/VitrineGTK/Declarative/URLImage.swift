public import CGTK
import Vitrine

/// A picture from a URL, with a slot for each state: empty, in progress, failed, and there.
///
/// ```swift
/// let card = URLImage(url) {
///     gtk_image_new_from_icon_name("image-x-generic-symbolic")
/// } inProgress: { progress, preview in
///     preview.contentFit(.cover)
/// } failure: { error, retry in
///     URLImageDefaults.reason(error)
///     URLImageDefaults.button("Try again", retry)
/// } content: { picture, response in
///     picture.contentFit(.cover).accessibilityLabel("A lighthouse")
///     gtk_label_new("\(response.image.info.pixelSize)")
/// }
/// gtk_box_append(box, card.makeWidget())
/// ```
///
/// Each slot may be left out: nothing is shown for empty, a spinner or a bar in progress, the reason and a
/// Retry button for a failure, and the picture itself for the content. Slots are widgets, one or several
/// below each other; a widget of a slot is kept until another one is made for it.
///
/// The rules are those of ``ImageWidget/setImage(from:slot:placeholder:failureImage:transition:options:completion:)``:
/// what is in memory is there in the same call, without flash or transition; everything else is loaded while
/// the widget is shown, unless ``whenHidden(_:)`` says otherwise, at the size and scale at which it is
/// shown; what is not there within 40 ms shows its progress. What is not said here is as the
/// ``ImageWidget/options`` of the widgets above say.
///
/// It is a value: each call of ``makeWidget()`` makes a widget of its own, which any container of GTK, and
/// of a library over GTK, may take. ``update(_:)`` has such a widget show another value.
@MainActor public struct URLImage: WidgetConvertible {
    let request: ImageRequest?
    let slots: URLImageSlots
    var ownOptions = ImageOptions()
    var label: String?
    var description: String?

    init(_ source: some URLImageSource, _ slots: URLImageSlots) {
        request = source.urlImageRequest
        self.slots = slots
    }

    /// Makes a widget that shows the picture.
    public func makeWidget() -> UnsafeMutablePointer<GtkWidget> {
        let container = SlotContainer.make()
        update(container)
        return container
    }

    /// Has a widget, which an earlier value has made, show this one.
    ///
    /// If the picture is the same nothing is loaded again, and the slot that is shown stays; otherwise it
    /// takes the place of the one before, whose load is given up. Slots that are made from now on are
    /// made by this value.
    public func update(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard SlotContainer.isOne(widget) else {
            return warnOnce("Only a widget that a URLImage has made can be updated by another one.")
        }
        URLImageModel.of(widget).set(self)
    }
}
