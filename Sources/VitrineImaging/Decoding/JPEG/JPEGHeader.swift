import FoundationEssentials

/// What the segments before the first scan of a JPEG say (ITU-T T.81, annex B; JFIF 1.02; Exif 2.3).
///
/// Only what is beyond doubt: of a file with anything odd before its first scan nothing is said, and
/// libvips judges it.
struct JPEGHeader {
    /// One component of the frame, and its tables in the first scan.
    struct Component {
        var identifier: UInt8
        /// The sampling factors.
        var across: Int
        var down: Int
        /// The numbers of its tables.
        var quantization: Int
        var dc = 0
        var ac = 0
    }

    /// The size as stored.
    private(set) var size = PixelSize(width: 0, height: 0)
    /// Whether the coefficients of a block follow each other (SOF0, SOF1), and not in many scans.
    private(set) var isSequential = false
    private(set) var components: [Component] = []
    /// The quantization tables, in zigzag order.
    private(set) var quantization = [[UInt16]?](repeating: nil, count: 4)
    private(set) var dcCodes = [JPEGCode?](repeating: nil, count: 4)
    private(set) var acCodes = [JPEGCode?](repeating: nil, count: 4)
    /// MCUs between two restart markers; 0 is none.
    private(set) var restartInterval = 0
    /// As EXIF tells it, 1…8.
    private(set) var orientation = 1
    /// The ICC profile; empty if there is none.
    private(set) var profile = Data()
    private var profileParts = 0
    /// Where the compressed data begin.
    private(set) var scan = 0
    /// Whether the first scan holds all components, whole.
    private(set) var isSingleScan = false

    private var hasJFIF = false
    private var hasExif = false
    private var adobeTransform: UInt8?

    /// Reads up to the first scan; nil if anything is unusual.
    init?(_ bytes: ByteReader) {
        guard bytes.begins([0xFF, 0xD8]) else { return nil }
        var segments = JPEGSegments(bytes)
        while let next = segments.next() {
            let segment = next.body
            switch next.marker {
            case 0xC0, 0xC1, 0xC2: guard frame(segment, next.marker) else { return nil }
            case 0xC4: guard codes(segment) else { return nil }
            case 0xDB: guard quantization(segment) else { return nil }
            case 0xDD:
                guard segment.count == 2, let interval = segment.big16(at: 0) else { return nil }
                restartInterval = interval
            case 0xE0: hasJFIF = hasJFIF || segment.count >= 14 && segment.begins("JFIF\0")
            case 0xE1: guard application1(segment) else { return nil }
            case 0xE2: guard application2(segment) else { return nil }
            case 0xEE:
                if segment.count >= 12, segment.begins("Adobe") { adobeTransform = segment[11] }
            case 0xE3...0xED, 0xEF, 0xFE: break  // of applications, comments
            case 0xDA:
                guard !components.isEmpty, firstScan(segment) else { return nil }
                scan = segments.offset
                return
            default: return nil
            }
        }
        return nil
    }

    /// The size as shown.
    var shownSize: PixelSize { orientation > 4 ? size.transposed : size }

    /// Whether the first scan is the whole picture.
    var comesByRows: Bool { isSequential && isSingleScan }

    /// Whether the components are luminance alone, or with the two chrominances of BT.601: what
    /// libjpeg takes them for, where nothing contradicts.
    var isGreyOrYCbCr: Bool {
        switch components.count {
        case 1: return true
        case 3:
            if hasJFIF { return adobeTransform != 0 }
            if let adobeTransform { return adobeTransform == 1 }
            return components.map(\.identifier) == [1, 2, 3]
        default: return false
        }
    }

    /// SOFn (B.2.2).
    private mutating func frame(_ segment: ByteReader, _ marker: UInt8) -> Bool {
        guard components.isEmpty, segment[0] == 8, let height = segment.big16(at: 1),
            let width = segment.big16(at: 3), let count = segment.byte(at: 5),
            [1, 3, 4].contains(count), segment.count == 6 + 3 * Int(count),
            (1...65_500).contains(width), (1...65_500).contains(height)
        else { return false }
        size = PixelSize(width: width, height: height)
        isSequential = marker != 0xC2
        for index in 0..<Int(count) {
            let entry = 6 + 3 * index
            let component = Component(
                identifier: segment[entry], across: Int(segment[entry + 1] >> 4),
                down: Int(segment[entry + 1] & 15), quantization: Int(segment[entry + 2]))
            guard (1...4).contains(component.across), (1...4).contains(component.down),
                component.quantization < 4,
                !components.contains(where: { $0.identifier == component.identifier })
            else { return false }
            components.append(component)
        }
        return true
    }

    /// DQT (B.2.4.1).
    private mutating func quantization(_ segment: ByteReader) -> Bool {
        var offset = 0
        while let kind = segment.byte(at: offset) {
            let size = Int(kind >> 4) + 1
            guard size <= 2, kind & 15 < 4, segment.has(64 * size, at: offset + 1) else {
                return false
            }
            quantization[Int(kind & 15)] = (0..<64).map { index in
                size == 1
                    ? UInt16(segment[offset + 1 + index])
                    : UInt16(truncatingIfNeeded: segment.big16(at: offset + 1 + 2 * index) ?? 0)
            }
            offset += 1 + 64 * size
        }
        return offset > 0
    }

    /// DHT (B.2.4.2).
    private mutating func codes(_ segment: ByteReader) -> Bool {
        var offset = 0
        while let kind = segment.byte(at: offset) {
            guard kind & 0xEF < 4,
                let code = JPEGCode(segment.rest(from: offset + 1), isDC: kind >> 4 == 0)
            else { return false }
            if kind >> 4 == 0 {
                dcCodes[Int(kind)] = code
            } else {
                acCodes[Int(kind & 15)] = code
            }
            offset += 17 + code.symbols.count
        }
        return offset > 0
    }

    /// SOS (B.2.3).
    private mutating func firstScan(_ segment: ByteReader) -> Bool {
        guard let count = segment.byte(at: 0), (1...4).contains(count),
            segment.count == 4 + 2 * Int(count)
        else { return false }
        let tail = 1 + 2 * Int(count)
        guard isSequential else { return true }
        guard segment[tail] == 0, segment[tail + 1] == 63, segment[tail + 2] == 0 else {
            return false
        }
        guard Int(count) == components.count else { return true }
        for index in components.indices {
            let tables = segment[2 + 2 * index]
            guard segment[1 + 2 * index] == components[index].identifier, tables & 0xCC == 0 else {
                return false
            }
            components[index].dc = Int(tables >> 4)
            components[index].ac = Int(tables & 15)
        }
        isSingleScan = true
        return true
    }

    /// EXIF or something else.
    private mutating func application1(_ segment: ByteReader) -> Bool {
        guard segment.begins("Exif") else { return true }
        guard !hasExif, segment.begins("Exif\0\0"),
            let orientation = EXIFBlock(segment)?.orientation
        else { return false }
        hasExif = true
        self.orientation = orientation
        return true
    }

    /// A part of an ICC profile (ICC.1:2022, annex B.4) or something else.
    private mutating func application2(_ segment: ByteReader) -> Bool {
        guard segment.begins("ICC_PROFILE") else { return true }
        guard segment.begins("ICC_PROFILE\0"), segment.count > 14,
            Int(segment[12]) == profileParts + 1, segment[13] >= segment[12]
        else { return false }
        profileParts += 1
        segment.rest(from: 14).withBytes { profile.append(contentsOf: $0) }
        return true
    }
}
