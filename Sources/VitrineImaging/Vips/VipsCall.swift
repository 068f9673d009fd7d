import CVips

/// An argument of a libvips operation.
enum VipsArgument {
    case int(Int)
    case double(Double)
    case bool(Bool)
    case string(String)
    case doubles([Double])
    case ints([Int])
    case interpolator(String)
    case image(VipsPipeline)
    case images([VipsPipeline])
    /// Borrowed: must outlive every image made from it.
    case bytes(UnsafeRawBufferPointer)
}

/// One call of a libvips operation, by its name and through its properties.
///
/// Swift cannot call the variadic C functions; this is what they do inside. The object is built
/// directly, past the cache of operations, where two threads that decode the same bytes could
/// otherwise meet in one sequential image.
final class VipsCall {
    private let operation: UnsafeMutablePointer<VipsOperation>

    init(_ name: String, _ arguments: [(String, VipsArgument)]) throws(VipsFailure) {
        try VipsRuntime.require()
        guard let operation = cvips_operation_new()(name) else { throw .take(after: name) }
        self.operation = operation
        for (property, argument) in arguments {
            guard set(property, to: argument) else {
                throw .take(after: "\(name) has no \(property)")
            }
        }
        guard cvips_object_build()(object) == 0 else { throw .take(after: name) }
    }

    deinit {
        cvips_object_unref_outputs()(object)
        g_object_unref(operation)
    }

    /// The image that the operation has made.
    func image(_ property: String = "out") throws(VipsFailure) -> VipsPipeline {
        var value = GValue()
        g_value_init(&value, cvips_image_get_type()())
        defer { g_value_unset(&value) }
        g_object_get_property(gObject, property, &value)
        guard let image = g_value_dup_object(&value) else {
            throw VipsFailure("no \(property) image")
        }
        return VipsPipeline(adopting: image.assumingMemoryBound(to: VipsImage.self))
    }

    /// Gives `body` the bytes that the operation has made.
    func withBytes<R>(
        _ property: String = "buffer", _ body: (UnsafeRawBufferPointer) -> R
    ) throws(VipsFailure) -> R {
        var value = GValue()
        g_value_init(&value, cvips_blob_get_type()())
        defer { g_value_unset(&value) }
        g_object_get_property(gObject, property, &value)
        guard let blob = g_value_get_boxed(&value) else {
            throw VipsFailure("no \(property) bytes")
        }
        var count = 0
        let start = cvips_blob_get()(blob.assumingMemoryBound(to: VipsBlob.self), &count)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    private var object: UnsafeMutablePointer<VipsObject> {
        UnsafeMutableRawPointer(operation).assumingMemoryBound(to: VipsObject.self)
    }

    private var gObject: UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(operation).assumingMemoryBound(to: GObject.self)
    }

    private func set(_ property: String, to argument: VipsArgument) -> Bool {
        var specification: UnsafeMutablePointer<GParamSpec>?
        var argumentClass: UnsafeMutablePointer<VipsArgumentClass>?
        var instance: UnsafeMutablePointer<VipsArgumentInstance>?
        guard
            cvips_object_get_argument()(
                object, property, &specification, &argumentClass, &instance) == 0,
            let type = specification?.pointee.value_type
        else { return false }
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        switch argument {
        case .int(let number): Self.store(number, of: type, in: &value)
        case .double(let number):
            if type == cvips_array_double_get_type()() {
                withUnsafePointer(to: number) { cvips_value_set_array_double()(&value, $0, 1) }
            } else {
                g_value_set_double(&value, number)
            }
        case .bool(let flag): g_value_set_boolean(&value, flag ? 1 : 0)
        case .string(let text): g_value_set_string(&value, text)
        case .doubles(let list):
            list.withUnsafeBufferPointer {
                cvips_value_set_array_double()(&value, $0.baseAddress, Int32($0.count))
            }
        case .ints(let list):
            list.map { Int32(clamping: $0) }.withUnsafeBufferPointer {
                cvips_value_set_array_int()(&value, $0.baseAddress, Int32($0.count))
            }
        case .interpolator(let name):
            guard let interpolator = cvips_interpolate_new()(name) else { return false }
            g_value_set_object(&value, interpolator)
            g_object_unref(interpolator)
        case .image(let image): image.store(in: &value)
        case .images(let list):
            cvips_value_set_array_image()(&value, Int32(list.count))
            guard let slots = cvips_value_get_array_image()(&value, nil) else { return false }
            for (index, image) in list.enumerated() { slots[index] = image.retained() }
        case .bytes(let bytes):
            guard let blob = cvips_blob_new()(nil, bytes.baseAddress, bytes.count) else {
                return false
            }
            g_value_set_boxed(&value, blob)
            cvips_area_unref()(UnsafeMutableRawPointer(blob).assumingMemoryBound(to: VipsArea.self))
        }
        g_object_set_property(gObject, property, &value)
        return true
    }

    private static func store(_ number: Int, of type: GType, in value: inout GValue) {
        // The numbers of the fundamental types are in gtype.h, as macros that Swift cannot see.
        switch g_type_fundamental(type) >> 2 {
        case 11: g_value_set_uint64(&value, UInt(clamping: number))
        case 12: g_value_set_enum(&value, Int32(clamping: number))
        case 13: g_value_set_flags(&value, UInt32(clamping: number))
        case 15: g_value_set_double(&value, Double(number))
        default: g_value_set_int(&value, Int32(clamping: number))
        }
    }
}
