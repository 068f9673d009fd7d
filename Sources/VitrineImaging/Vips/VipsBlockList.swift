import CVips

/// The loaders that libvips must not use: those that are not fuzzed, ImageMagick above all.
enum VipsBlockList {
    /// Unsafe by libvips' own word, and wanted all the same. That of SVG opens when one is drawn.
    private static let wanted = ["VipsForeignLoadJxl", "VipsForeignLoadJp2k"]

    /// Shuts what is not wanted of all that libvips has.
    static func set() {
        cvips_block_untrusted_set()(1)
        for name in wanted where g_type_from_name(name) != 0 {
            cvips_operation_block_set()(name, 0)
        }
    }

    /// Shuts what is not wanted among these. What others may be using meanwhile stays as it is, which
    /// ``set()`` would shut for a moment.
    static func shut(_ loaders: Set<GType>) {
        let wanted = wanted.map { g_type_from_name($0) }.filter { $0 != 0 }
        for type in loaders where !wanted.contains(where: { g_type_is_a(type, $0) != 0 }) {
            guard let reference = g_type_class_ref(type) else { continue }
            defer { g_type_class_unref(reference) }
            let flags = reference.assumingMemoryBound(to: VipsOperationClass.self).pointee.flags
            if flags.rawValue & VIPS_OPERATION_UNTRUSTED.rawValue != 0 {
                cvips_operation_block_set()(g_type_name(type), 1)
            }
        }
    }

    /// Lets SVG be drawn.
    static func openSVG() { cvips_operation_block_set()("VipsForeignLoadSvg", 0) }

    /// All loaders that libvips has at this time.
    static var loaders: Set<GType> {
        var found: Set<GType> = []
        var rest = [g_type_from_name("VipsForeignLoad")]
        while let type = rest.popLast() {
            guard type != 0, found.insert(type).inserted else { continue }
            var count: guint = 0
            let children = g_type_children(type, &count)
            rest += UnsafeBufferPointer(start: children, count: Int(count))
            g_free(children)
        }
        return found
    }
}
