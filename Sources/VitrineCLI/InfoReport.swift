import FoundationEssentials
import Vitrine

/// What `vitrine info` says of one picture.
struct InfoReport: Encodable {
    private let picture: PictureFacts
    /// Nil if it did not come by HTTP.
    private let http: WireFacts?

    init(_ name: String, _ response: ImageResponse, fullURLs: Bool) {
        picture = PictureFacts(name, response.image, source: response.source.rawValue)
        http = response.http.map { WireFacts($0, of: response, at: Date(), fullURLs: fullURLs) }
    }

    init(_ name: String, _ image: RasterImage, source: String) {
        picture = PictureFacts(name, image, source: source)
        http = nil
    }

    var isComplete: Bool { picture.complete }

    /// One object.
    func encode(to encoder: any Encoder) throws {
        try picture.encode(to: encoder)
        try http?.encode(to: encoder)
    }

    var json: String { JSONText.of(self) }

    var text: String {
        let name = Terminal.field(picture.url)
        return (picture.rows + (http?.rows ?? [])).reduce(name) { text, row in
            let padding = String(repeating: " ", count: 13 - row.0.count)
            return text + "\n  \(row.0)\(padding)\(Terminal.field(row.1))"
        }
    }
}
