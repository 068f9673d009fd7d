import CVips
import FoundationEssentials

/// An image of libvips: a recipe that makes pixels when they are asked for.
///
/// The C pointer never leaves this class, because Swift may release an object right after its last
/// mention, while C still works with what it owned.
final class VipsPipeline {
    private let image: UnsafeMutablePointer<VipsImage>

    init(adopting image: UnsafeMutablePointer<VipsImage>) {
        self.image = image
    }

    deinit { g_object_unref(image) }

    /// What the operation `name` makes.
    static func make(
        _ name: String, _ arguments: [(String, VipsArgument)]
    ) throws(VipsFailure) -> VipsPipeline {
        try VipsCall(name, arguments).image()
    }

    /// What the operation `name` makes of this image.
    func then(
        _ name: String, _ arguments: [(String, VipsArgument)] = []
    ) throws(VipsFailure) -> VipsPipeline {
        try Self.make(name, [("in", .image(self))] + arguments)
    }

    /// Gives `body` the pixels of `frame` as an image, which must not escape; without their alpha if
    /// they are opaque.
    static func withPixels<R>(
        of frame: PixelBuffer, _ body: (VipsPipeline) throws(VipsFailure) -> R
    ) throws(VipsFailure) -> R {
        let result = frame.withUnsafeBytes { bytes -> Result<R, VipsFailure> in
            do throws(VipsFailure) {
                return .success(
                    try withPixels(bytes, size: frame.size, isOpaque: frame.isOpaque, body))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Gives `body` straight RGBA as an image, which must not escape; without alpha if it is opaque.
    static func withPixels<R>(
        _ bytes: UnsafeRawBufferPointer, size: PixelSize, isOpaque: Bool,
        _ body: (VipsPipeline) throws(VipsFailure) -> R
    ) throws(VipsFailure) -> R {
        try VipsRuntime.require()
        guard
            let image = cvips_image_new_from_memory()(
                bytes.baseAddress, bytes.count, Int32(clamping: size.width),
                Int32(clamping: size.height), 4, VIPS_FORMAT_UCHAR)
        else { throw .take(after: "vips_image_new_from_memory") }
        var pixels = try VipsPipeline(adopting: image).then(
            "copy", [("interpretation", .int(Int(VIPS_INTERPRETATION_sRGB.rawValue)))])
        if isOpaque {
            pixels = try pixels.then("extract_band", [("band", .int(0)), ("n", .int(3))])
        }
        return try body(pixels)
    }

    /// The same picture with an ICC profile attached.
    func tagged(_ profile: Data) throws(VipsFailure) -> VipsPipeline {
        let copy = try then("copy")
        profile.withUnsafeBytes { copy.setBlob("icc-profile-data", $0) }
        return copy
    }

    var width: Int { Int(cvips_image_get_width()(image)) }
    var height: Int { Int(cvips_image_get_height()(image)) }
    var size: PixelSize { PixelSize(width: width, height: height) }
    var bands: Int { Int(cvips_image_get_bands()(image)) }
    var format: VipsBandFormat { cvips_image_get_format()(image) }
    var interpretation: VipsInterpretation { cvips_image_get_interpretation()(image) }

    /// A number among the metadata; nil if there is none of this name.
    func int(_ name: String) -> Int? {
        guard cvips_image_get_typeof()(image, name) != 0 else { return nil }
        var value: Int32 = 0
        guard cvips_image_get_int()(image, name, &value) == 0 else {
            cvips_error_clear()()
            return nil
        }
        return Int(value)
    }

    /// Whether an ICC profile is attached.
    var hasProfile: Bool { has("icc-profile-data") }

    /// The same picture without its ICC profile.
    func withoutProfile() throws(VipsFailure) -> VipsPipeline {
        let copy = try then("copy")
        cvips_image_remove()(copy.image, "icc-profile-data")
        return copy
    }

    /// Whether there are metadata of this name.
    func has(_ name: String) -> Bool { cvips_image_get_typeof()(image, name) != 0 }

    /// Gives `body` a blob among the metadata; nil if there is none of this name.
    @discardableResult
    func withBlob<R>(_ name: String, _ body: (ByteReader) -> R) -> R? {
        guard cvips_image_get_typeof()(image, name) == cvips_blob_get_type()() else { return nil }
        var start: UnsafeRawPointer?
        var length = 0
        guard cvips_image_get_blob()(image, name, &start, &length) == 0 else {
            cvips_error_clear()()
            return nil
        }
        return body(ByteReader(UnsafeRawBufferPointer(start: start, count: length)))
    }

    /// Puts a copy of `bytes` among the metadata; only for an image that nobody else has yet.
    func setBlob(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        cvips_image_set_blob_copy()(image, name, bytes.baseAddress, bytes.count)
    }

    /// Makes all pixels now, into memory of libvips.
    func rendered() throws(VipsFailure) -> VipsPipeline {
        guard let copy = cvips_image_copy_memory()(image) else { throw .take(after: "copy_memory") }
        return VipsPipeline(adopting: copy)
    }

    /// Makes all pixels now, into `memory`, which must have their exact size.
    func render(into memory: UnsafeMutableRawBufferPointer) throws(VipsFailure) {
        guard
            let target = cvips_image_new_from_memory()(
                memory.baseAddress, memory.count, Int32(clamping: width), Int32(clamping: height),
                Int32(clamping: bands), format)
        else { throw .take(after: "vips_image_new_from_memory") }
        let owner = VipsPipeline(adopting: target)
        let failed = withExtendedLifetime(owner) { cvips_image_write()(image, target) != 0 }
        if failed { throw .take(after: "vips_image_write") }
    }

    /// Makes as many rows from the top as can be made, into `memory`, which has room for all of them.
    /// Returns how many that are, give or take a few.
    func render(rowsInto memory: UnsafeMutableRawBufferPointer) -> Int {
        guard let region = cvips_region_new()(image) else { return 0 }
        defer {
            g_object_unref(region)
            cvips_error_clear()()
        }
        // Codecs work in bands of 8 or 16 rows.
        for top in stride(from: 0, to: height, by: 8) {
            let count = min(8, height - top)
            var length = 0
            guard
                let rows = cvips_region_fetch()(
                    region, 0, Int32(clamping: top), Int32(clamping: width), Int32(clamping: count),
                    &length)
            else { return top }
            defer { g_free(rows) }
            let start = top * (memory.count / height)
            guard start + length <= memory.count else { return top }
            memory[start..<start + length].copyBytes(
                from: UnsafeRawBufferPointer(start: rows, count: length))
        }
        return height
    }

    /// All pixels as a file, made by the operation `saver`.
    func encoded(
        by saver: String, _ arguments: [(String, VipsArgument)]
    ) throws(VipsFailure) -> Data {
        try VipsCall(saver, [("in", .image(self))] + arguments).withBytes { Data($0) }
    }

    /// What ends the making of this image's pixels, from any thread.
    var stop: Stop { Stop(image) }

    /// Ends the making of an image's pixels, after which whatever wanted them fails.
    final class Stop: @unchecked Sendable {
        // Unchecked because of the pointer: this has a reference of its own, which libvips counts
        // atomically, and only ever sets a flag.
        private let image: UnsafeMutablePointer<VipsImage>

        fileprivate init(_ image: UnsafeMutablePointer<VipsImage>) {
            g_object_ref(image)
            self.image = image
        }

        deinit { g_object_unref(image) }

        func now() { cvips_image_set_kill()(image, 1) }
    }

    func store(in value: inout GValue) {
        g_value_set_object(&value, image)
    }

    func retained() -> UnsafeMutablePointer<VipsImage> {
        g_object_ref(image)
        return image
    }
}
