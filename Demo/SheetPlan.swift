import FoundationEssentials
import VitrineImaging

/// Which picture goes where on the sheet, and in which shape.
struct SheetPlan {
    /// How pictures of a row look. The rows are equally wide: 1,328 pixels with 16 between tiles.
    enum Shape: CaseIterable, CustomStringConvertible {
        case rounded, circle, whole

        /// What makes the tile of a picture.
        var options: [String] {
            switch self {
            case .rounded: ["--fill", "320x214", "--round", "18", "--format", "png"]
            case .circle: ["--fill", "208x208", "--circle", "--format", "png"]
            case .whole: ["--fit", "400x190", "--format", "png"]
            }
        }

        /// The place that a tile has.
        var cell: PixelSize {
            switch self {
            case .rounded: PixelSize(width: 320, height: 214)
            case .circle: PixelSize(width: 208, height: 208)
            case .whole: PixelSize(width: 432, height: 222)
            }
        }

        var tilesPerRow: Int {
            switch self {
            case .rounded: 4
            case .circle: 6
            case .whole: 3
            }
        }

        var description: String {
            switch self {
            case .rounded: "rounded"
            case .circle: "circle"
            case .whole: "whole"
            }
        }
    }

    struct Row {
        let shape: Shape
        let urls: [String]
    }

    /// More would make a sheet that nobody looks at.
    private static let most = 120

    let rows: [Row]
    /// How many pictures are not on the sheet.
    let leftOut: Int

    /// Pictures that can be seen through are shown whole, in the middle; all others fill rows of
    /// rounded tiles and of circles in turn.
    init(_ pictures: [Program.Picture]) throws {
        var opaque: [String] = []
        var transparent: [String] = []
        for picture in pictures.prefix(Self.most) {
            let bytes = try Data(contentsOf: URL(filePath: picture.path))
            let small = try RasterImage(
                decoding: bytes, options: DecodeOptions(targetSize: .maximum(64)))
            if small.isOpaque {
                opaque.append(picture.url)
            } else {
                transparent.append(picture.url)
            }
        }
        leftOut = max(0, pictures.count - Self.most)

        var rows: [Row] = []
        var rest = opaque[...]
        while !rest.isEmpty {
            let shape = rows.count % 2 == 0 ? Shape.rounded : .circle
            rows.append(Row(shape: shape, urls: Array(rest.prefix(shape.tilesPerRow))))
            rest = rest.dropFirst(shape.tilesPerRow)
        }
        var wholes: [Row] = []
        rest = transparent[...]
        while !rest.isEmpty {
            wholes.append(
                Row(shape: .whole, urls: Array(rest.prefix(Shape.whole.tilesPerRow))))
            rest = rest.dropFirst(Shape.whole.tilesPerRow)
        }
        rows.insert(contentsOf: wholes, at: (rows.count + 1) / 2)
        self.rows = rows
    }
}
