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
    /// tooltip has the whole of the error in English, for those who report it.
    public var reason: @Sendable (ImageError) -> String = { $0.reason.description }

    /// English.
    public init() {}
}
