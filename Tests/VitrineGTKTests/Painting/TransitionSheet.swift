import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// Every transition and content fit on one picture each, compared with the committed ones.
///
/// `VITRINE_RENEW_GOLDEN=1 swift test --filter GoldenTests` writes them anew; please look at them then.
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
        return sheet(cells)
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
        return sheet(cells)
    }

    /// Cells side by side on a grey ground, with lines between.
    private static func sheet(_ cells: [[PixelBuffer]]) -> PixelBuffer {
        let cell = cells.first?.first?.size ?? PixelSize(width: 1, height: 1)
        let (width, height) = (cell.width + 4, cell.height + 4)
        let size = PixelSize(width: (cells.first?.count ?? 0) * width, height: cells.count * height)
        return .drawn(size) { x, y in
            let ground: UInt8 = (x / 8 + y / 8) % 2 == 0 ? 150 : 170
            let back = Pixel(red: ground, green: ground, blue: ground)
            guard let top = cells[y / height][x / width][x % width - 2, y % height - 2] else {
                return Pixel(red: 40, green: 40, blue: 40)
            }
            let alpha = Int(top.alpha)
            func over(_ top: UInt8) -> UInt8 {
                UInt8((Int(top) * alpha + Int(ground) * (255 - alpha) + 127) / 255)
            }
            return alpha == 0
                ? back : Pixel(red: over(top.red), green: over(top.green), blue: over(top.blue))
        }
    }
}

@MainActor @Suite(.serialized) struct GoldenTests {
    private static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        url.deleteLastPathComponent()
        return url.appending(path: "Golden")
    }()

    private func compare(_ drawn: PixelBuffer, _ name: String) throws {
        let file = Self.folder.appending(path: name + ".png")
        if ProcessInfo.processInfo.environment["VITRINE_RENEW_GOLDEN"] != nil {
            try FileManager.default.createDirectory(
                at: Self.folder, withIntermediateDirectories: true)
            try RasterImage(drawn).encoded(as: .png).write(to: file)
        }
        // Versions of cairo round differently.
        let golden = try RasterImage(decoding: Data(contentsOf: file))
        expectPixels(drawn, equals: golden.posterFrame, within: 2, name)
    }

    @Test("V3: transitions between pictures look as they did")
    func transitions() throws {
        try compare(
            TransitionSheet.transitions(
                from: .image(Pictures.scene), to: .image(Pictures.landscape)), "transitions")
    }

    @Test("V3: transitions from a placeholder look as they did")
    func placeholder() throws {
        let texture = try #require(
            ImageTexture.shared(for: Pictures.solid(Pixel(red: 90, green: 90, blue: 90), 16, 16)))
        try compare(
            TransitionSheet.transitions(
                from: .icon(texture.pointer), to: .image(Pictures.sceneWithAlpha)),
            "transitions-from-placeholder")
    }

    @Test("V16: content fits look as they did")
    func fits() throws {
        try compare(TransitionSheet.fits(), "fits")
    }
}
