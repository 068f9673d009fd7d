import CGTK
import VitrineGTK
import VitrineTesting

// What the article "Coming from URLImage" shows of views.

@MainActor func simple(_ url: URL) -> URLImage {
    URLImage(url) { picture in
        picture.contentFit(.contain)
    }
}

@MainActor func allSlots(_ url: URL) -> URLImage {
    URLImage(url) {
        // Nothing is wanted, or no cache has it.
    } inProgress: { _ in
        gtk_label_new("Loading…")
    } failure: { error, retry in
        URLImageDefaults.reason(error)
        URLImageDefaults.button("Retry", retry)
    } content: { picture in
        picture.contentFit(.contain)
    }
}

@MainActor func withProgress(_ url: URL) -> URLImage {
    URLImage(
        url,
        inProgress: { progress, _ in
            let label = gtk_label_new(nil)
            label?.vitrine.observe {
                progress.fraction
            } apply: { label, fraction in
                let text = fraction.map { "\(Int($0 * 100)) %" } ?? "Loading…"
                gtk_label_set_text(OpaquePointer(label), text)
            }
            label
        })
}

@MainActor func withInfo(_ url: URL) -> URLImage {
    URLImage(url) { picture, response in
        if response.image.info.pixelSize.width < 1024 {
            picture.contentFit(.contain)
        } else {
            picture.contentFit(.cover)
        }
    }
}

@MainActor func byPhase(_ url: URL) -> URLImage {
    URLImage(url: url) { phase in
        switch phase {
        case .empty: gtk_label_new("Nothing here")
        case .inProgress(let progress, let preview):
            URLImageDefaults.inProgress(progress, preview)
        case .failure(let error, let retry): URLImageDefaults.failure(error, retry)
        case .success(let picture, _): picture.fixedSize(width: 160, height: 120)
        }
    }
}

@MainActor func setUp(_ window: UnsafeMutablePointer<GtkWidget>, service loader: ImageLoader) {
    var options = ImageOptions()
    options.loader = loader
    options.cachePolicy = .cacheElseLoad
    options.contentFit = .cover
    window.vitrine.options = options  // for all below
}

@MainActor func immediately(_ url: URL, with loader: ImageLoader) -> URLImage {
    URLImage(url).whenHidden(.loads).loader(loader)
}

@MainActor func ownView(of picture: RemoteImage) -> UnsafeMutablePointer<GtkWidget>? {
    let label = gtk_label_new(nil)
    label?.vitrine.observe { () -> String in
        switch picture.state {
        case .empty: "Nothing here"
        case .inProgress: "Loading…"
        case .failure(let error): error.reason.description
        case .success(let response): "\(response.image.pixelSize)"
        }
    } apply: { label, text in
        gtk_label_set_text(OpaquePointer(label), text)
    }
    picture.load()
    return label
}

@MainActor func rowChanged(_ widget: UnsafeMutablePointer<GtkWidget>, to url: URL?) {
    URLImage(url).update(widget)  // the same URL restarts nothing
}
