import Vitrine
import VitrineImaging

/// A target that knows where in its widget the picture is, so that it is decoded for that place.
@MainActor protocol PlacedTarget: ImageTarget {
    /// Where a picture is shown; nil if none is.
    var place: PictureFeed.Place? { get }
    /// The room, in logical pixels, for one that is not there yet; nil if that is not known.
    var room: PointSize? { get }
    /// Called when the place or the picture is another one, while GTK draws too.
    var whenPlaceChanges: () -> Void { get set }
}
