public import Observation
public import Vitrine

/// How far the picture of a ``URLImage`` is; observable, so that a slot is made once and goes with it.
///
/// ```swift
/// URLImage(url) { … } inProgress: { progress, _ in
///     let label = gtk_label_new(nil)
///     label?.vitrine.observe { progress.fraction } apply: { label, fraction in
///         gtk_label_set_text(OpaquePointer(label), fraction.map { "\(Int($0 * 100)) %" } ?? "…")
///     }
///     label
/// }
/// ```
@Observable @MainActor public final class URLImageProgress {
    /// What has arrived; nil until bytes do.
    public internal(set) var bytes: ImageTask.Progress?

    /// Whether there is a preview of the picture by now.
    public internal(set) var hasPreview = false

    /// Between 0 and 1; nil if it is not known how much there will be.
    public var fraction: Double? { bytes?.fraction }

    init() {}

    /// Another load begins.
    func reset() {
        if bytes != nil { bytes = nil }
        if hasPreview { hasPreview = false }
    }
}
