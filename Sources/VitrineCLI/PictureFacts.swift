import FoundationEssentials
import Vitrine

/// What a picture is.
struct PictureFacts: Encodable {
    let url: String
    let format: String
    let width: Int
    let height: Int
    let frames: Int
    let hasAlpha: Bool
    let bitsPerSample: Int
    let orientation: Int
    let hasColorProfile: Bool
    let colorCodePoints: String?
    let dynamicRange: String
    let hasGainMap: Bool
    let colorModel: String?
    let colorProfile: String?
    let dotsPerInch: [Double]?
    let isProgressive: Bool
    /// Absent if it is played for ever.
    let loops: Int?
    let seconds: Double
    let hasEXIF: Bool
    let hasXMP: Bool
    let hasThumbnail: Bool
    let bytes: Int
    /// False if it is cut short or damaged.
    let complete: Bool
    let source: String

    init(_ name: String, _ image: RasterImage, source: String) {
        let info = image.info
        url = name
        format = info.format.rawValue
        width = info.pixelSize.width
        height = info.pixelSize.height
        frames = info.frameCount
        hasAlpha = info.hasAlpha
        bitsPerSample = info.bitsPerSample
        orientation = info.orientation
        hasColorProfile = info.hasColorProfile
        colorModel = info.colorModel?.rawValue
        colorProfile = info.colorProfileName
        colorCodePoints = info.colorCodePoints?.description
        dynamicRange = (info.colorCodePoints?.dynamicRange ?? .standard).rawValue
        hasGainMap = info.hasGainMap
        dotsPerInch = info.resolution.map { resolution in
            [resolution.horizontal, resolution.vertical].map { ($0 * 100).rounded() / 100 }
        }
        isProgressive = info.isProgressive
        loops = info.loopCount
        seconds = (Readable.seconds(info.duration) * 1000).rounded() / 1000
        hasEXIF = info.hasEXIF
        hasXMP = info.hasXMP
        hasThumbnail = info.hasThumbnail
        bytes = info.byteCount
        complete = image.isComplete
        self.source = source
    }

    /// For people.
    var rows: [(String, String)] {
        let kind = isProgressive ? "\(format), progressive" : format
        var rows = [
            ("format", kind), ("size", "\(width) × \(height)"), ("frames", playing),
            ("colour", (colorModel.map { "\($0), " } ?? "") + depth),
            ("alpha", hasAlpha ? "yes" : "no"),
            ("profile", colorProfile ?? (hasColorProfile ? "yes, without a name" : "no")),
            ("orientation", orientation == 1 ? "upright" : "\(orientation) (as stored; EXIF)"),
        ]
        if let colorCodePoints { rows.append(("code points", colorCodePoints)) }
        if dynamicRange != DynamicRange.standard.rawValue {
            rows.append(("range", "\(dynamicRange), shown for a standard display"))
        }
        if hasGainMap { rows.append(("gain map", "yes, not applied")) }
        if let dotsPerInch {
            let numbers = Set(dotsPerInch).count == 1 ? [dotsPerInch[0]] : dotsPerInch
            let text = numbers.map { $0 == $0.rounded() ? "\(Int($0.rounded()))" : "\($0)" }
            rows.append(("resolution", "\(text.joined(separator: " × ")) dots per inch"))
        }
        let embedded = [(hasEXIF, "EXIF"), (hasXMP, "XMP"), (hasThumbnail, "a thumbnail")]
            .filter(\.0).map(\.1)
        if !embedded.isEmpty { rows.append(("metadata", embedded.joined(separator: ", "))) }
        rows += [("bytes", Readable.bytes(bytes)), ("from", source)]
        if !complete { rows.append(("complete", "no, it is cut short or damaged")) }
        return rows
    }

    private var depth: String {
        bitsPerSample == 1 ? "1 bit a sample" : "\(bitsPerSample) bits a sample"
    }

    /// How many frames, and how they are played.
    private var playing: String {
        guard seconds > 0 else { return "\(frames)" }
        let times = loops.map { $0 == 1 ? "once" : "\($0) times" } ?? "for ever"
        return "\(frames), \(seconds) s, \(times)"
    }
}
