public import FoundationEssentials

/// Why bytes did not become a picture, or a picture did not become another one or bytes.
public enum ImagingError: Error, Sendable, Hashable {
    /// A size that is bounded by ``DecodeLimits`` or by a format.
    public enum Measure: String, Sendable, Hashable {
        /// Bytes of the file.
        case bytes
        /// Pixels of one frame of the file.
        case sourcePixels
        /// Pixels of the result.
        case resultPixels
        /// Width or height.
        case dimension
        /// Frames or pages of the file.
        case frames
        /// Scans of a JPEG, each of which is work over all of its pixels.
        case scans
        /// Pixels of all frames of an animation together.
        case animationPixels
        /// Bytes of an embedded ICC profile.
        case profileBytes
        /// Bytes of EXIF data and XMP together.
        case metadataBytes
    }

    /// The bytes are no picture; `found` says what they look like: "HTML", "JSON", "XML", "text",
    /// "empty", "unknown", …
    case notAnImage(found: String)
    /// A picture or document that was recognised, but cannot be decoded: "PDF", "PSD", …
    case unsupportedFormat(String)
    /// A format that is decoded only where the limits allow it, which they do not:
    /// ``DecodeLimits/allowsSVG``.
    case formatNotAllowed(format: RasterFormat)
    /// An SVG that asks for what is not rendered.
    case svgRefused(SVGRefusal)
    /// The installed libraries were built without this format.
    case codecMissing(format: RasterFormat)
    /// The file ends before the picture does.
    case truncated(format: RasterFormat)
    /// The file breaks the rules of its format.
    case corrupt(format: RasterFormat, reason: String)
    /// Something is larger than allowed.
    case tooLarge(what: Measure, found: Int, limit: Int)
    /// A parameter that makes no sense, such as a negative length.
    case invalidArgument(name: String, reason: String)
    /// A filter threw an error of its own.
    case filterFailed(identifier: String, reason: String)
    /// The picture could not be written.
    case encodingFailed(format: EncodingFormat, reason: String)
    /// There is no such frame.
    case frameOutOfRange(index: Int, count: Int)
    /// The system has no memory for this many bytes.
    case outOfMemory(bytes: Int)
    /// The caller gave up, by ``DecodeCancellation/cancel()``.
    case cancelled
    /// libvips runs, so that ``ImagingRuntime`` comes too late.
    case engineAlreadyStarted
    /// libvips could not be started.
    case engineUnavailable(reason: String)
}

extension ImagingError: CustomStringConvertible, LocalizedError {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .notAnImage(let found):
            found == "empty"
                ? "The data is not an image: it is empty."
                : "The data is not an image: it looks like \(found) content."
        case .unsupportedFormat(let name):
            "The format \(name) cannot be decoded."
        case .formatNotAllowed(let format):
            "The image is \(format), which is not decoded unless the limits allow it (allowsSVG)."
        case .svgRefused(let why):
            "The SVG file is not rendered: \(why)."
        case .codecMissing(let format):
            "The installed libraries cannot decode \(format)."
        case .truncated(let format):
            "The \(format) file ends before the picture is complete."
        case .corrupt(let format, let reason):
            "The \(format) file is damaged (\(reason))."
        case .tooLarge(let what, let found, let limit):
            switch what {
            case .bytes:
                "The file has \(grouped(found)) bytes; \(grouped(limit)) are allowed."
            case .sourcePixels:
                "The image has \(grouped(found)) pixels; \(grouped(limit)) are allowed."
            case .resultPixels:
                "The result would have \(grouped(found)) pixels; \(grouped(limit)) are allowed."
            case .dimension:
                "One side has \(grouped(found)) pixels; \(grouped(limit)) are allowed."
            case .animationPixels:
                "All frames have \(grouped(found)) pixels; \(grouped(limit)) are allowed."
            case .profileBytes:
                "The colour profile has \(grouped(found)) bytes; \(grouped(limit)) are allowed."
            case .metadataBytes:
                "The metadata have \(grouped(found)) bytes; \(grouped(limit)) are allowed."
            case .frames:
                "The image has \(grouped(found)) frames; \(grouped(limit)) are allowed."
            case .scans:
                "The image has \(grouped(found)) scans or more; \(grouped(limit)) are allowed."
            }
        case .invalidArgument(let name, let reason):
            "The value of \(name) is invalid: \(reason)."
        case .filterFailed(let identifier, let reason):
            "The filter \(identifier) failed: \(reason)"
        case .encodingFailed(let format, let reason):
            "The image could not be written as \(format) (\(reason))."
        case .frameOutOfRange(let index, let count):
            "There is no frame \(index): the image has \(grouped(count))."
        case .outOfMemory(let bytes):
            "There is no memory for \(grouped(bytes)) bytes."
        case .cancelled:
            "The decoding was cancelled."
        case .engineAlreadyStarted:
            "The image engine libvips has been started; it is configured before its first use."
        case .engineUnavailable(let reason):
            "The image engine libvips could not be started (\(reason))."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }

    /// "1234567" as "1,234,567".
    private func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number.magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }
}

extension ImagingError {
    /// Whether the file is of a known format, and ends too early or breaks its rules.
    package var saysThatBytesAreDamaged: Bool {
        switch self {
        case .truncated, .corrupt: true
        default: false
        }
    }
}
