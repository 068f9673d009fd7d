import CGTK
import VitrineGTK
import VitrineTesting

// What the article "Coming from AlamofireImage" shows of views.

@MainActor func show(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>) {
    picture.vitrine.setImage(from: url, placeholder: .icon("image-loading-symbolic"))
}

@MainActor func showRounded(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>) {
    picture.vitrine.setImage(
        from: url, placeholder: .icon("image-loading-symbolic"),
        filters: [.fillRounded(width: 100, height: 100, radius: 20)],
        transition: .crossDissolve(.milliseconds(200)))
}

@MainActor func showAndTell(
    _ request: ImageRequest, in picture: UnsafeMutablePointer<GtkWidget>,
    _ told: @escaping @MainActor (String) -> Void
) {
    let missing = Placeholder.icon("image-missing-symbolic")
    picture.vitrine.setImage(from: request, failureImage: missing) { result in
        switch result {
        case .success(let response): told("from \(response.source)")
        case .failure(let error): told(error.isCancelled ? "given up" : error.description)
        }
    }
}

let wipe = ImageTransition.custom(.milliseconds(300)) { drawing in
    drawing.draw(.old)
    drawing.draw(
        .new,
        clip: ContentFit.Rectangle(
            x: 0, y: 0, width: drawing.size.width * drawing.progress, height: drawing.size.height))
}

@MainActor func setUp(_ window: UnsafeMutablePointer<GtkWidget>, with loader: ImageLoader) {
    var options = ImageOptions()
    options.loader = loader  // for all widgets below
    options.transition = wipe
    options.alwaysTransitions = true
    window.vitrine.options = options
}

@MainActor func dress(
    _ button: UnsafeMutablePointer<GtkWidget>, _ icon: URL, _ background: URL
) {
    button.vitrine.setImage(from: icon)
    button.vitrine.setImage(from: background, slot: .background)
}

@MainActor func undress(_ button: UnsafeMutablePointer<GtkWidget>) {
    button.vitrine.cancelImageLoad(in: .background)  // what is shown stays
    button.vitrine.setImage(from: URL?.none)  // no picture
}
