import CGTK

/// What drawing depends on beside the contents.
struct DrawingContext {
    /// How contents lie in their area, unless they have a fit of their own.
    var fit = ContentFit.contain
    /// Where pictures lie in their area, whatever their size and fit.
    var place: ContentFit.Rectangle?
    /// What symbolic icons are drawn in; nil is their own colour.
    var textColor: GdkRGBA?
    /// Whether the widget's renderer is the one that uses cairo, for which there are other pixels.
    var usesCairo = false
}
