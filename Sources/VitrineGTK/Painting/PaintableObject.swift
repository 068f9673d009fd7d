import CGTK
import VitrineImaging

/// The GObject class of ``ImagePaintable``: a `GdkPaintable` whose every call goes to the Swift object
/// that it owns.
enum PaintableObject {
    /// An instance: GLib's part and one reference.
    private struct Instance {
        var parent: GObject
        var core: Unmanaged<PaintableCore>?
    }

    /// A new object and what it is made of.
    @MainActor static func make() -> (HeldObject, PaintableCore) {
        let pointer = cgtk_new(type).opaque
        let core = PaintableCore(object: pointer.cast())
        instance(pointer).pointee.core = .passRetained(core)
        return (HeldObject(adopting: pointer), core)
    }

    /// What the object is made of; nil if it is of another class, or is going.
    @MainActor static func core(of object: OpaquePointer) -> PaintableCore? {
        guard isInstance(UnsafeMutablePointer<GObject>(object), of: type) else { return nil }
        return instance(object).pointee.core?.takeUnretainedValue()
    }

    private static func instance(_ object: OpaquePointer) -> UnsafeMutablePointer<Instance> {
        UnsafeMutablePointer(object)
    }

    /// Runs `body` with what the object is made of.
    private static func withCore<Result: Sendable>(
        of object: OpaquePointer?, else none: Result, _ body: @MainActor (PaintableCore) -> Result
    ) -> Result {
        withCore(of: object, and: (), else: none) { core, _ in body(core) }
    }

    /// The same, with something else that GTK has handed over.
    private static func withCore<Other, Result: Sendable>(
        of object: OpaquePointer?, and other: Other, else none: Result,
        _ body: @MainActor (PaintableCore, Other) -> Result
    ) -> Result {
        guard let object else { return none }
        return onMainActor(with: (object, other)) { object, other in
            core(of: object).map { body($0, other) } ?? none
        }
    }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GObjectClass>.size)
        info.instance_size = guint16(MemoryLayout<Instance>.size)
        info.class_init = { objectClass, _ in
            objectClass?.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = finalize
        }
        let type = g_type_register_static(
            g_object_get_type(), "VitrineImagePaintable", &info, GTypeFlags(0))
        var interface = GInterfaceInfo()
        interface.interface_init = { interface, _ in
            guard let interface else { return }
            PaintableObject.fill(
                &interface.assumingMemoryBound(to: GdkPaintableInterface.self).pointee)
        }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    /// Any thread may drop the last reference: nothing here needs the main one.
    private static let finalize: @convention(c) (UnsafeMutablePointer<GObject>?) -> Void = {
        object in
        guard let object else { return }
        let instance = PaintableObject.instance(object.opaque)
        let core = instance.pointee.core
        instance.pointee.core = nil
        core?.release()
        let parent = g_type_class_peek(g_object_get_type())?
            .assumingMemoryBound(to: GObjectClass.self)
        parent?.pointee.finalize?(object)
    }

    private static func fill(_ interface: inout GdkPaintableInterface) {
        interface.snapshot = { object, snapshot, width, height in
            guard let snapshot else { return }
            PaintableObject.withCore(of: object, and: snapshot, else: ()) { core, snapshot in
                core.drawInWidget(on: snapshot, size: PointSize(width: width, height: height))
            }
        }
        interface.get_intrinsic_width = { object in
            PaintableObject.withCore(of: object, else: 0) { PaintableObject.pixels($0.wish.width) }
        }
        interface.get_intrinsic_height = { object in
            PaintableObject.withCore(of: object, else: 0) { PaintableObject.pixels($0.wish.height) }
        }
        interface.get_intrinsic_aspect_ratio = { object in
            PaintableObject.withCore(of: object, else: 0) { $0.wish.aspectRatio }
        }
        interface.get_current_image = { object in
            guard let snapshot = gtk_snapshot_new() else { return nil }
            let nothing = PointSize(width: 0, height: 0)
            let size = PaintableObject.withCore(of: object, and: snapshot, else: nothing) {
                core, snapshot in
                let size = PointSize(width: core.wish.width, height: core.wish.height)
                core.draw(on: snapshot, size: size)
                return size
            }
            var bounds = graphene_rect_t(size)
            return gtk_snapshot_free_to_paintable(snapshot, &bounds.size)
        }
    }

    /// Whole pixels as GTK counts them, at least one where there is something.
    private static func pixels(_ length: Double) -> gint {
        guard length > 0 else { return 0 }
        return gint(min(max(length.rounded(), 1), 16_777_216))
    }
}
