public import FoundationEssentials
import Glibc
import VitrineBase

/// The same as the blocking forms, for code that must not block, such as a server's handlers: the work
/// is done by threads of this module, one for each core, which all callers share in the order in which
/// they came.
///
/// Work that waits for its turn when the caller's task is cancelled is left out; what has begun is
/// finished.
extension RasterImage {
    /// Decodes a file, without blocking the caller; the bytes are kept until that is done.
    ///
    /// - Throws: what ``init(decoding:options:cancellation:)`` throws, and `CancellationError`.
    public static func decoded(
        from data: Data, options: DecodeOptions = DecodeOptions()
    ) async throws -> RasterImage {
        try await Workers.pool.run {
            try RasterImage(decoding: data, options: options)
        }
    }

    /// This picture with the filters applied one after the other, without blocking the caller.
    ///
    /// - Throws: what ``applying(_:cancellation:)`` throws, and `CancellationError`.
    public func filtered(
        by filters: [any ImageFilter]
    ) async throws -> RasterImage {
        try await Workers.pool.run { try applying(filters) }
    }

    /// The picture as a file, without blocking the caller.
    ///
    /// - Throws: what ``encoded(as:options:)`` throws, and `CancellationError`.
    public func data(
        as format: EncodingFormat, options: EncodeOptions = EncodeOptions()
    ) async throws -> Data {
        try await Workers.pool.run {
            try encoded(as: format, options: options)
        }
    }

    private enum Workers {
        static let pool = BlockingPool(
            name: "vitrine-image", threads: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
