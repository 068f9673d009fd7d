import FoundationEssentials
import VitrineImaging

/// The course of the demo.
struct Show {
    static let folder = FileManager.default.currentDirectoryPath + "/.build/demo"

    private let program: Program
    private let list: String
    /// Nil where the pictures come from elsewhere.
    private let origin: PictureOrigin?

    /// - Parameter list: a file of URLs; nil serves and loads our own pictures.
    init(list: String?) throws {
        try FileManager.default.createDirectory(
            atPath: Self.folder, withIntermediateDirectories: true)
        for name in ["cache", "originals", "again", "tiles", "sheet.png"] {
            let path = "\(Self.folder)/\(name)"
            if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        program = try Program(cache: Self.folder + "/cache")
        if let list {
            guard FileManager.default.isReadableFile(atPath: list) else {
                throw DemoFailure("The list \(list) cannot be read.")
            }
            origin = nil
            self.list = list
        } else {
            origin = try PictureOrigin(folder: Self.folder + "/pictures")
            self.list = Self.folder + "/urls.txt"
            try Self.write(origin?.urls ?? [], to: self.list)
        }
    }

    /// Runs it, and returns what went wrong, a sentence each.
    func run() throws -> [String] {
        Text.say(Text.bold("\n" + (origin?.title ?? "Pictures from the list \(list)")))
        Text.say("  vitrine get --from \(Self.shown(list)), cold and then warm\n")

        let cold = try inOrder(program.get(list: list, into: Self.folder + "/originals"))
        let coldCount = origin?.takeCount()
        let warm = try program.get(list: list, into: Self.folder + "/again")
        Table(cold: cold, warm: warm).write()
        Text.say(
            Text.dim("  A picture's time includes waiting for its turn; 4 are fetched at once."))
        let ratio = Text.seconds(cold.time) / Text.seconds(warm.time)
        Text.say("\n  The cold run took \(Text.fixed(ratio, 1)) times as long as the warm one.")

        var problems =
            (cold.failures
            + warm.failures.filter { warm in
                !cold.failures.contains { $0.url == warm.url }
            }).map { "\(Text.url($0.url)): \($0.error)" }
        guard !cold.pictures.isEmpty else { return problems + ["No picture arrived."] }

        Text.say("\n" + Text.bold("Tiles for the sheet, from what is cached"))
        let (tiles, tileProblems) = try makeTiles(of: cold.pictures)
        problems += tileProblems

        if let origin, let coldCount {
            let count = origin.takeCount()
            problems += origin.problems(cold: coldCount, later: count)
            Text.say(
                "\n  The origin counted \(Text.count(coldCount.total, "request")) in the cold run, "
                    + "\(count.total == 0 ? "none" : "\(count.total)") afterwards.")
        }
        let path = Self.folder + "/sheet.png"
        try ContactSheet(tiles).png().write(to: URL(filePath: path))
        Text.say("\n" + Text.bold("All on one sheet: ") + path)
        return problems
    }

    /// Has `vitrine get` make a tile of each picture, in the shape that its place on the sheet has.
    private func makeTiles(
        of pictures: [Program.Picture]
    ) throws -> (tiles: [[ContactSheet.Tile]], problems: [String]) {
        let plan = try SheetPlan(pictures)
        var tiles: [String: RasterImage] = [:]
        var problems: [String] = []
        for shape in SheetPlan.Shape.allCases {
            let urls = plan.rows.filter { $0.shape == shape }.flatMap(\.urls)
            guard !urls.isEmpty else { continue }
            let list = "\(Self.folder)/\(shape).txt"
            try Self.write(urls, to: list)
            let run = try program.get(
                list: list, into: "\(Self.folder)/tiles/\(shape)", shape.options)
            for picture in run.pictures {
                let bytes = try Data(contentsOf: URL(filePath: picture.path))
                tiles[picture.url] = try RasterImage(decoding: bytes)
            }
            problems += run.failures.map { "\(Text.url($0.url)): \($0.error)" }
            let command = "vitrine get \(shape.options.joined(separator: " "))"
            Text.say(
                "  " + Text.left(command, 56) + Text.right(Text.count(urls.count, "picture"), 14)
                    + Text.right(Text.seconds(run.time), 9))
        }
        if plan.leftOut > 0 {
            Text.say("  The sheet leaves out \(Text.count(plan.leftOut, "picture")).")
        }
        let rows = plan.rows.map { row in
            row.urls.compactMap { url in
                tiles[url].map { ContactSheet.Tile(image: $0, shape: row.shape) }
            }
        }
        return (rows, problems)
    }

    /// The pictures as the list has them, not as they arrived.
    private func inOrder(_ run: Program.Run) throws -> Program.Run {
        let text = String(decoding: try Data(contentsOf: URL(filePath: list)), as: UTF8.self)
        var places: [Substring: Int] = [:]
        for (place, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            places[line] = places[line] ?? place
        }
        var run = run
        run.pictures.sort {
            (places[$0.url[...]] ?? .max, $0.url) < (places[$1.url[...]] ?? .max, $1.url)
        }
        return run
    }

    private static func write(_ lines: [String], to path: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func shown(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
