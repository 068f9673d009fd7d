import CGTK
import DisplaySupport
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// The same drawing by GTK's other renderer, for graphics cards, where there is OpenGL; Mesa's does it in
/// software.
@MainActor @Suite(.serialized) struct GraphicsCardTests {
    init() throws { try TestDisplay.open() }

    @Test("V3: a graphics card draws content fits and transitions as cairo does")
    func sameDrawing() async throws {
        // One that was never shown would be asked for its size after its end.
        let picture = try #require(gtk_picture_new())
        let window = try #require(await present(picture, width: 64, height: 64))
        defer { gtk_window_destroy(window) }
        let surface = try #require(
            gtk_widget_get_native(picture).flatMap { gtk_native_get_surface($0) })
        guard let made = gsk_gl_renderer_new() else { return }
        let renderer = HeldObject(adopting: made)
        // Without OpenGL there is nothing to compare.
        guard gsk_renderer_realize(made, surface, nil) != 0 else { return }
        // It must outlive this, which comes after its last use.
        defer { withExtendedLifetime(renderer) { gsk_renderer_unrealize(made) } }
        // The renderer keeps what it has drawn of a node under its address, so that none may be used again.
        var nodes: [OpaquePointer] = []
        defer { nodes.forEach(gsk_render_node_unref) }
        for fit in ContentFit.allCases {
            let paintable = ImagePaintable.byHand(.image(Pictures.sceneWithAlpha), fit: fit)
            nodes.append(try compare(paintable, made, "\(fit)"))
        }
        for (name, transition) in TransitionSheet.transitions {
            for progress in [0, 0.4, 0.75, 1] {
                let paintable = ImagePaintable.byHand(.image(Pictures.scene), fit: .cover)
                paintable.show(
                    .image(Pictures.landscape), transition, stoppedAt: progress)
                nodes.append(try compare(paintable, made, "\(name) at \(progress)"))
            }
        }
    }

    /// - Returns: the node that was drawn.
    private func compare(
        _ paintable: ImagePaintable, _ renderer: OpaquePointer, _ name: String
    ) throws -> OpaquePointer {
        let (width, height) = (140, 100)
        let snapshot = try #require(gtk_snapshot_new())
        gdk_paintable_snapshot(paintable.pointer, snapshot, Double(width), Double(height))
        let node = try #require(gtk_snapshot_free_to_node(snapshot))
        var bounds = graphene_rect_t(PointSize(width: Double(width), height: Double(height)))
        let texture = HeldObject(
            adopting: try #require(gsk_renderer_render_texture(renderer, node, &bounds)))
        let drawn = try Rendering.pixels(of: texture.pointer, width: width, height: height)
        let expected = try Rendering.pixels(
            of: paintable.pointer, width: width, height: height)
        // Edges, and what a flip makes narrower, are smoothed in other ways.
        let difference = zip(drawn.bytes, expected.bytes).reduce(0) {
            $0 + abs(Int($1.0) - Int($1.1))
        }
        #expect(Double(difference) / Double(drawn.byteCount) < 4, "\(name)")
        return node
    }
}

extension PixelBuffer {
    fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
