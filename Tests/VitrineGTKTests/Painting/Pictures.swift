import PixelSupport
import VitrineBase
import VitrineImaging

@testable import VitrineGTK

/// Pictures whose every part can be told from the others.
enum Pictures {
    static let red = Pixel(red: 200, green: 20, blue: 40)
    static let blue = Pixel(red: 30, green: 60, blue: 220)
    static let green = Pixel(red: 20, green: 160, blue: 60)
    static let yellow = Pixel(red: 240, green: 200, blue: 30)
    static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)

    static func solid(_ color: Pixel, _ width: Int = 40, _ height: Int = 40) -> RasterImage {
        RasterImage(.drawn(PixelSize(width: width, height: height)) { _, _ in color })
    }

    /// Four colours: top left, top right, bottom left, bottom right.
    static func quarters(_ colors: [Pixel], _ width: Int = 40, _ height: Int = 40) -> RasterImage {
        RasterImage(
            .drawn(PixelSize(width: width, height: height)) { x, y in
                colors[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)]
            })
    }

    /// A landscape with a sun, no two columns of which are alike.
    static let landscape = RasterImage(
        .drawn(PixelSize(width: 96, height: 64)) { x, y in
            let (dx, dy) = (x - 68, y - 20)
            if dx * dx + dy * dy < 121 { return Pixel(red: 255, green: 244, blue: 180) }
            let hill = 40 + (x * (96 - x)) / 160
            if y > 84 - hill { return Pixel(red: UInt8(20 + x / 2), green: 110, blue: 70) }
            return Pixel(red: UInt8(60 + x), green: UInt8(140 + y), blue: 225)
        })

    static let scene = RasterImage(Scene.plain)
    static let sceneWithAlpha = RasterImage(Scene.alpha)
}

extension ImagePaintable {
    /// A paintable without a widget, whose time a test gives.
    static func byHand(
        _ content: ImageContent = .empty, fit: ContentFit = .contain, usesCairo: Bool = false
    ) -> ImagePaintable {
        let paintable = ImagePaintable()
        paintable.core.isDrivenByHand = true
        paintable.core.usesCairoByHand = usesCairo
        paintable.contentFit = fit
        paintable.show(content)
        return paintable
    }

    /// Shows a content and stops the transition after this part of its time.
    func show(_ content: ImageContent, _ transition: ImageTransition, stoppedAt progress: Double) {
        show(content, transition: transition)
        core.advance(to: 1_000)
        core.advance(to: 1_000 + UInt64(Double(transition.duration.clampedNanoseconds) * progress))
    }
}
