import VitrineImaging

/// The table of the pictures, each with its cold and its warm load; 80 columns wide.
struct Table {
    let cold: Program.Run
    let warm: Program.Run

    private static let widths = (name: 20, format: 9, size: 11, bytes: 9, time: 8)

    func write() {
        let warmOnes = Dictionary(
            warm.pictures.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
        Text.say(
            Text.bold(row("picture", "format", "pixels", "bytes", "cold", "warm", "came from")))
        Text.say(Text.dim(rule))
        for picture in cold.pictures {
            let again = warmOnes[picture.url]
            Text.say(
                row(
                    Text.name(of: picture.url), formatName(picture.format),
                    "\(picture.width) × \(picture.height)", Text.number(picture.bytes),
                    Text.milliseconds(picture.milliseconds),
                    again.map { Text.milliseconds($0.milliseconds) } ?? "–",
                    again.map { "\(picture.source), \($0.source)" } ?? picture.source))
        }
        Text.say(Text.dim(rule))
        let formats = Set(cold.pictures.map(\.format)).count
        Text.say(
            Text.bold(
                row(
                    Text.count(cold.pictures.count, "picture"), Text.count(formats, "format"), "",
                    Text.number(cold.pictures.reduce(0) { $0 + $1.bytes }),
                    Text.seconds(cold.time), Text.seconds(warm.time), "whole runs")))
    }

    private var rule: String { "  " + String(repeating: "─", count: 88) }

    private func row(
        _ name: String, _ format: String, _ size: String, _ bytes: String, _ cold: String,
        _ warm: String, _ source: String
    ) -> String {
        let widths = Self.widths
        return "  " + Text.left(name, widths.name) + " " + Text.left(format, widths.format) + " "
            + Text.right(size, widths.size) + " " + Text.right(bytes, widths.bytes) + " "
            + Text.right(cold, widths.time) + " " + Text.right(warm, widths.time) + "  " + source
    }

    private func formatName(_ format: String) -> String {
        RasterFormat(rawValue: format)?.description ?? format
    }
}
