import FoundationEssentials

/// A whole JPEG or PNG file inside a file of another format; lives only as long as the bytes are
/// borrowed.
struct EmbeddedPicture {
    private let format: RasterFormat
    private let outer: RasterFormat
    private let data: Data
    // Not the registry's: another decoder might keep the bytes, which are borrowed.
    private let decoder = VipsDecoder()
    let info: ImageInfo

    /// Reads the header of the `format` file in `bytes`, which is part of an `outer` file.
    init(
        _ format: RasterFormat, _ bytes: ByteReader, in outer: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) {
        guard let data = bytes.borrowedData else { throw .truncated(format: outer) }
        guard RasterFormat(sniffing: data) == format else {
            throw .corrupt(format: outer, reason: "no \(format) is inside")
        }
        self.format = format
        self.outer = outer
        self.data = data
        do throws(ImagingError) {
            info = try decoder.probe(data, format: format, limits: limits)
        } catch {
            throw Self.error(error, from: format, in: outer)
        }
    }

    /// Decodes the picture to the target size.
    func frame(
        _ options: DecodeOptions, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> PixelBuffer {
        do throws(ImagingError) {
            return try decoder.decode(
                data, format: format, options: options, cancellation: cancellation
            ).posterFrame
        } catch {
            throw Self.error(error, from: format, in: outer)
        }
    }

    /// The error as one of the file around.
    private static func error(
        _ error: ImagingError, from format: RasterFormat, in outer: RasterFormat
    ) -> ImagingError {
        switch error {
        case .truncated(format): .truncated(format: outer)
        case .corrupt(format, let reason): .corrupt(format: outer, reason: reason)
        default: error
        }
    }
}
