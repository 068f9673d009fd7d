import Vitrine

/// What people are told of a picture that has loaded.
struct PictureFacts: Equatable {
    /// Of the file, `1600 × 1067`.
    var size: String
    /// `JPEG`, `GIF, 12 frames`.
    var format: String
    /// Nil if that is not known.
    var bytes: String?
    var source: PictureOrigin

    init(_ response: ImageResponse, from source: PictureOrigin) {
        let info = response.image.info
        size = info.pixelSize.description
        format = info.format.description
        if info.frameCount > 1 { format += ", \(info.frameCount) frames" }
        bytes = info.byteCount > 0 ? Self.bytes(info.byteCount) : nil
        self.source = source
    }

    init(size: String, format: String, bytes: String?, source: PictureOrigin) {
        self.size = size
        self.format = format
        self.bytes = bytes
        self.source = source
    }

    /// In one line, without the source.
    var line: String { [size, format, bytes].compactMap { $0 }.joined(separator: "  ·  ") }

    /// The same as a sentence for assistive technology.
    var spoken: String {
        let sides = size.split(separator: " × ").joined(separator: " by ")
        return "\(sides) pixels, \(format), \(source.words.lowercased())"
    }

    /// `950 bytes`, `12.3 KB`, `4.5 MB`, in powers of 1000.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count)
        var unit = "KB"
        value /= 1000
        for next in ["MB", "GB"] where value >= 999.5 {
            value /= 1000
            unit = next
        }
        if value >= 99.95 { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}

/// Where a picture came from, as people are told.
enum PictureOrigin: String, CaseIterable {
    case memory, disk, network, revalidated, file, data

    init(_ source: ImageResponse.Source) {
        self =
            switch source {
            case .memory, .originals: .memory
            case .disk: .disk
            case .revalidated: .revalidated
            case .network: .network
            case .file: .file
            case .data: .data
            }
    }

    /// What it means.
    var words: String {
        switch self {
        case .memory: "From memory"
        case .disk: "From the disk cache"
        case .network: "From the network"
        case .revalidated: "From the disk cache, confirmed by the server"
        case .file: "From a file"
        case .data: "From the URL itself"
        }
    }

    /// Of the icon theme.
    var icon: String {
        switch self {
        case .memory: "media-flash-symbolic"
        case .disk: "drive-harddisk-symbolic"
        case .network: "network-receive-symbolic"
        case .revalidated: "emblem-ok-symbolic"
        case .file: "folder-symbolic"
        case .data: "text-x-generic-symbolic"
        }
    }
}
