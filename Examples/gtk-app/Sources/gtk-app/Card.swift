import CGTK
import Vitrine
import VitrineGTK

@MainActor func show(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>) {
    picture.vitrine.alternativeText = url.lastPathComponent  // for those who do not see it
    picture.vitrine.setImage(
        from: url, placeholder: .icon("image-loading-symbolic"),
        failureImage: .icon("image-missing-symbolic"), transition: .crossDissolve()
    ) { result in
        print(url.lastPathComponent, result.map(\.source.rawValue))
    }
}
