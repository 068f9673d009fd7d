import Vitrine

/// The sort of a failure, as one word for programs that read JSON.
enum FailureKind {
    /// Of whatever a subcommand may throw.
    static func of(_ error: any Error) -> String {
        switch error {
        case let error as ImageError: of(error.reason)
        case let error as ImagingError: of(error)
        case is UsageError: "invalidURL"
        default: "file"
        }
    }

    private static func of(_ reason: ImageError.Reason) -> String {
        switch reason {
        case .cancelled: "cancelled"
        case .invalidURL: "invalidURL"
        case .unsupportedScheme: "unsupportedScheme"
        case .status: "status"
        case .contentType: "contentType"
        case .transport: "transport"
        case .imaging(let error): of(error)
        case .file: "file"
        case .invalidScale: "invalidScale"
        case .cacheMiss: "cacheMiss"
        case .deadlinePassed: "deadline"
        case .modifier: "modifier"
        case .unknownGroup: "unknownGroup"
        case .groupNameTooLong: "groupNameTooLong"
        }
    }

    private static func of(_ error: ImagingError) -> String {
        switch error {
        case .notAnImage: "notAnImage"
        case .unsupportedFormat, .codecMissing: "unsupportedFormat"
        case .formatNotAllowed: "formatNotAllowed"
        case .svgRefused: "svgRefused"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .tooLarge: "tooLarge"
        case .invalidArgument(name: "metadata", reason: _): "metadata"
        case .invalidArgument, .filterFailed: "filter"
        case .encodingFailed: "encoding"
        case .frameOutOfRange: "frame"
        case .outOfMemory: "outOfMemory"
        case .cancelled: "cancelled"
        case .engineAlreadyStarted, .engineUnavailable: "engine"
        }
    }
}
