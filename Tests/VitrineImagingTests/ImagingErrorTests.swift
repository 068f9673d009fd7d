import FoundationEssentials
import Testing
import VitrineImaging

@Suite struct ImagingErrorTests {
    @Test(
        "R6: every error is a sentence with its facts",
        arguments: [
            (ImagingError.notAnImage(found: "empty"), "The data is not an image: it is empty."),
            (.notAnImage(found: "HTML"), "The data is not an image: it looks like HTML content."),
            (.unsupportedFormat("BMP"), "The format BMP cannot be decoded."),
            (
                .formatNotAllowed(format: .svg),
                "The image is SVG, which is not decoded unless the limits allow it (allowsSVG)."
            ),
            (.svgRefused(.filter), "The SVG file is not rendered: it applies a filter."),
            (.codecMissing(format: .heic), "The installed libraries cannot decode HEIC."),
            (
                .truncated(format: .jpegXL), "The JPEG XL file ends before the picture is complete."
            ),
            (.corrupt(format: .png, reason: "crc"), "The PNG file is damaged (crc)."),
            (
                .tooLarge(what: .sourcePixels, found: 2_500_000_000, limit: 268_435_456),
                "The image has 2,500,000,000 pixels; 268,435,456 are allowed."
            ),
            (
                .tooLarge(what: .bytes, found: 1000, limit: 999),
                "The file has 1,000 bytes; 999 are allowed."
            ),
            (
                .tooLarge(what: .resultPixels, found: 12, limit: 1),
                "The result would have 12 pixels; 1 are allowed."
            ),
            (
                .tooLarge(what: .dimension, found: 70_000, limit: 65_535),
                "One side has 70,000 pixels; 65,535 are allowed."
            ),
            (
                .tooLarge(what: .frames, found: 100_000, limit: 10),
                "The image has 100,000 frames; 10 are allowed."
            ),
            (
                .invalidArgument(name: "width", reason: "-1.0 is not a positive number"),
                "The value of width is invalid: -1.0 is not a positive number."
            ),
            (
                .filterFailed(identifier: "lens", reason: "It broke."),
                "The filter lens failed: It broke."
            ),
            (
                .encodingFailed(format: .webp, reason: "no"),
                "The image could not be written as WebP (no)."
            ),
            (.frameOutOfRange(index: 3, count: 1), "There is no frame 3: the image has 1."),
            (.outOfMemory(bytes: 1_048_576), "There is no memory for 1,048,576 bytes."),
            (.cancelled, "The decoding was cancelled."),
            (
                .engineUnavailable(reason: "no"),
                "The image engine libvips could not be started (no)."
            ),
        ])
    func text(error: ImagingError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect("\(error)" == text)
    }
}
