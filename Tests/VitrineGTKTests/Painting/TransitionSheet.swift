import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// Every transition and content fit on one picture each.
@MainActor enum TransitionSheet {
    static let transitions: [(String, ImageTransition)] =
        [("crossDissolve", .crossDissolve(.seconds(1)))]
        + ImageTransition.Edge.allCases.map { ("slide \($0)", .slide(from: $0, .seconds(1))) }
        + ImageTransition.Edge.allCases.map { ("flip \($0)", .flip(from: $0, .seconds(1))) }
        + [("zoom", .zoom(.seconds(1))), ("custom", wipe)]

    private static let wipe = ImageTransition.custom(.seconds(1)) { drawing in
        drawing.draw(.old)
        drawing.draw(
            .new,
            clip: ContentFit.Rectangle(
                x: 0, y: 0, width: drawing.size.width * drawing.progress,
                height: drawing.size.height))
    }

    static let steps = [0, 0.25, 0.4, 0.5, 0.6, 0.75, 1]

    /// A row for each transition, a column for each step.
    static func transitions(from old: ImageContent, to new: ImageContent) throws -> PixelBuffer {
        let cells = try transitions.map { _, transition in
            try steps.map { step in
                let paintable = ImagePaintable.byHand(old, fit: .cover)
                paintable.show(new, transition, stoppedAt: step)
                return try Rendering.pixels(of: paintable.pointer, width: 72, height: 48)
            }
        }
        return Golden.sheet(cells)
    }

    /// A row for each content fit: a picture of another shape, one with alpha, a small one, and the
    /// first one at twice the scale.
    static func fits() throws -> PixelBuffer {
        let small = Pictures.quarters(
            [Pictures.red, Pictures.blue, Pictures.green, Pictures.yellow], 24, 32)
        let cells = try ContentFit.allCases.map { fit in
            try [(Pictures.landscape, 1), (Pictures.sceneWithAlpha, 1), (small, 1), (small, 2)].map
            {
                image, scale in
                let paintable = ImagePaintable.byHand(.image(image), fit: fit)
                paintable.scale = Double(scale)
                return try Rendering.pixels(
                    of: paintable.pointer, width: 72 / scale, height: 72 / scale, scale: scale)
            }
        }
        return Golden.sheet(cells)
    }
}

@MainActor @Suite(.serialized) struct GoldenTests {
    @Test("V3: transitions between pictures look as they did")
    func transitions() throws {
        try Golden.compare(
            TransitionSheet.transitions(
                from: .image(Pictures.scene), to: .image(Pictures.landscape)), "transitions")
    }

    @Test("V3: transitions from a placeholder look as they did")
    func placeholder() throws {
        let texture = try #require(
            ImageTexture.shared(for: Pictures.solid(Pixel(red: 90, green: 90, blue: 90), 16, 16)))
        try Golden.compare(
            TransitionSheet.transitions(
                from: .icon(texture.pointer), to: .image(Pictures.sceneWithAlpha)),
            "transitions-from-placeholder")
    }

    @Test("V16: content fits look as they did")
    func fits() throws {
        try Golden.compare(TransitionSheet.fits(), "fits")
    }
}
