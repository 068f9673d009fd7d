public import FoundationEssentials

/// Why a view that was asked to show an image shows none.
public enum SetImageError: Error, Sendable, Hashable {
    /// There was nothing to load: the view was told to show no picture.
    case nothingToLoad
    /// The load ended without an image, or was given up; see ``ImageError/isCancelled``.
    case load(ImageError)
    /// This view has no place for an image: what it is.
    case noPlace(String)

    /// Whether the load was given up, by the view's user or since the view has gone, and nothing failed.
    public var isCancelled: Bool {
        if case .load(let error) = self { return error.isCancelled }
        return false
    }
}

extension SetImageError: LocalizedError, CustomStringConvertible {
    /// The reason as a sentence, without secrets.
    public var description: String {
        switch self {
        case .nothingToLoad: "There was nothing to load."
        case .load(let error): error.description
        case .noPlace(let view): "A \(view) has no place for an image; give it a target of its own."
        }
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}
