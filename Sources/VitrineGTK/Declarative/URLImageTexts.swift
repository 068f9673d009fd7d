public import Vitrine

/// What ``URLImageDefaults`` says, in English unless it is told otherwise.
///
/// ```swift
/// URLImageDefaults.texts.retry = "Erneut versuchen"
/// URLImageDefaults.texts.loading = "Wird geladen"
/// URLImageDefaults.texts.reason = { error in
///     error.reason == .status(404) ? "Es gibt kein solches Bild." : "Das Bild ist nicht zu haben."
/// }
/// ```
///
/// A program that has its texts from gettext gives what that returns.
public struct URLImageTexts: Sendable {
    /// On the button that tries once more; its name, where it is an icon.
    public var retry = "Retry"
    /// The name of spinner and bar, for people who do not see them.
    public var loading = "Loading"
    /// Why there is no picture, as a sentence: below the icon of a failure, and as the description of
    /// every ``URLImage`` that has failed, for people who do not see it. Called each time one fails; the
    /// tooltip has the whole of the error in English, for those who report it, so that the path of a file
    /// and the names of settings are left to it.
    public var reason: @Sendable (ImageError) -> String = { error in
        switch error.reason {
        case .file(_, let why): "The file cannot be read: \(why)."
        case .imaging(.formatNotAllowed(let format)): "It is \(format), which is not shown here."
        default: error.reason.description
        }
    }

    /// English.
    public init() {}
}
