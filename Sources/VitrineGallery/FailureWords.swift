import Vitrine
import VitrineGTK

/// What people are told of a picture that cannot be shown, without the words of developers.
struct FailureWords: Equatable {
    /// Where there is little room, and the name of the picture stands beside it.
    let short: String
    /// With all that is known.
    let whole: String
    /// Whether it may help to try again.
    let mayHelpToRetry: Bool

    init(_ error: ImageError) {
        short = URLImageTexts().reason(error)
        if case .imaging(.formatNotAllowed) = error.reason {
            whole = short
        } else {
            whole = error.reason.description
        }
        mayHelpToRetry = Self.mayHelp(error.reason)
    }

    /// Not where the same URL can only come to the same end.
    private static func mayHelp(_ reason: ImageError.Reason) -> Bool {
        switch reason {
        case .invalidURL, .unsupportedScheme, .invalidScale, .unknownGroup, .groupNameTooLong: false
        case .imaging(.formatNotAllowed), .imaging(.codecMissing), .imaging(.unsupportedFormat):
            false
        default: true
        }
    }
}
