/// What the boxes of a HEIF file (AVIF, HEIC) tell of its picture and codecs do not (ISO/IEC 14496-12,
/// ISO/IEC 23008-12).
struct HEIFOutline: Equatable {
    /// The size of the primary item as stored.
    private(set) var size: PixelSize?
    /// The size that its compressed data say, if it is one of AV1 and they are found.
    private(set) var codedSize: PixelSize?
    /// What its `nclx` box says of its colours.
    private(set) var colorCodePoints: ColorCodePoints?
    /// Whether there is a gain map, from which a display for HDR makes a brighter picture.
    private(set) var hasGainMap = false

    init(_ bytes: UnsafeRawBufferPointer) {
        let file = ByteReader(bytes)
        guard let box = Boxes(file).first("meta"), let meta = file.part(box, skipping: 4) else {
            return
        }
        let boxes = Boxes(meta)
        hasGainMap = Self.hasToneMap(boxes, in: meta)
        guard let primary = Self.primaryItem(boxes, in: meta),
            let properties = boxes.first("iprp").flatMap({ meta.part($0) }),
            let container = Boxes(properties).first("ipco").flatMap({ properties.part($0) })
        else { return }
        var list: [(kind: String, body: ByteReader)] = []
        for box in Boxes(container).prefix(1024) {
            guard let body = container.part(box) else { continue }
            list.append((box.kind, body))
            // Apple's way: an auxiliary picture.
            if box.kind == "auxC", body.begins("urn:com:apple:photo:2020:aux:hdrgainmap", at: 4) {
                hasGainMap = true
            }
        }
        let own = Self.associations(of: primary, in: properties)
        for index in own where index > 0 && index <= list.count {
            let (kind, body) = list[index - 1]
            switch kind {
            case "ispe":
                if let width = body.big32(at: 4), let height = body.big32(at: 8) {
                    size = PixelSize(width: width, height: height)
                }
            case "av1C":
                codedSize = Self.data(of: primary, boxes, meta, file)
                    .flatMap { AV1SequenceHeader($0)?.size }
            case "colr" where body.begins("nclx"):
                if let primaries = body.big16(at: 4), let transfer = body.big16(at: 6) {
                    colorCodePoints = ColorCodePoints(primaries: primaries, transfer: transfer)
                }
            default: break
            }
        }
    }

    private static func primaryItem(_ boxes: Boxes, in body: ByteReader) -> Int? {
        guard let box = boxes.first("pitm").flatMap({ body.part($0) }) else { return nil }
        return box[0] == 0 ? box.big16(at: 4) : box.big32(at: 4)
    }

    /// The first part of an item's data (`iloc`, ISO/IEC 14496-12, 8.11.3).
    private static func data(
        of item: Int, _ boxes: Boxes, _ meta: ByteReader, _ file: ByteReader
    ) -> ByteReader? {
        guard let body = boxes.first("iloc").flatMap({ meta.part($0) }), body[0] <= 2 else {
            return nil
        }
        let isWide = body[0] == 2
        let sizes = [body[4] >> 4, body[4] & 15, body[5] >> 4, body[5] & 15].map { Int($0) }
        let indexSize = body[0] == 0 ? 0 : sizes[3]
        var offset = 6
        func number(_ size: Int) -> Int? {
            defer { offset += size }
            return switch size {
            case 0: 0
            case 2: body.big16(at: offset)
            case 4: body.big32(at: offset)
            case 8: body.big64(at: offset)
            default: nil
            }
        }
        guard let count = number(isWide ? 4 : 2) else { return nil }
        for _ in 0..<count {
            guard let id = number(isWide ? 4 : 2) else { return nil }
            let method = body[0] == 0 ? 0 : number(2)
            guard let method, number(2) != nil, let base = number(sizes[2]),
                let extents = number(2)
            else { return nil }
            guard id == item else {
                offset += extents * (indexSize + sizes[0] + sizes[1])
                continue
            }
            guard extents > 0, number(indexSize) != nil, let start = number(sizes[0]),
                number(sizes[1]) != nil
            else { return nil }
            let (sum, overflow) = base.addingReportingOverflow(start)
            guard !overflow else { return nil }
            switch method & 15 {
            case 0: return file.rest(from: sum)
            case 1: return boxes.first("idat").flatMap { meta.part($0) }?.rest(from: sum)
            default: return nil
            }
        }
        return nil
    }

    /// A `tmap` item joins a picture and its gain map (ISO/IEC 21496-1).
    private static func hasToneMap(_ boxes: Boxes, in body: ByteReader) -> Bool {
        guard let items = boxes.first("iinf").flatMap({ body.part($0) }) else { return false }
        let entries = items.rest(from: items[0] == 0 ? 6 : 8)
        return Boxes(entries).prefix(4096).contains { entry in
            guard entry.kind == "infe", let entry = entries.part(entry) else { return false }
            return entry.begins("tmap", at: entry[0] == 2 ? 8 : 10)
        }
    }

    /// The properties of an item, counted from 1 (`ipma`, ISO/IEC 23008-12, 9.3).
    private static func associations(of item: Int, in properties: ByteReader) -> [Int] {
        for box in Boxes(properties).prefix(64) where box.kind == "ipma" {
            guard let body = properties.part(box), let count = body.big32(at: 4) else { continue }
            let isWide = body[3] & 1 == 1
            var offset = 8
            for _ in 0..<count {
                let id = body[0] == 0 ? body.big16(at: offset) : body.big32(at: offset)
                offset += body[0] == 0 ? 2 : 4
                guard let id, let length = body.byte(at: offset) else { break }
                offset += 1
                let size = Int(length) * (isWide ? 2 : 1)
                guard body.has(size, at: offset) else { break }
                if id == item {
                    return (0..<Int(length)).map { index in
                        isWide
                            ? (body.big16(at: offset + 2 * index) ?? 0) & 0x7FFF
                            : Int(body[offset + index] & 0x7F)
                    }
                }
                offset += size
            }
        }
        return []
    }
}

extension HEIFOutline {
    /// How often a sequence is played: what its edit list says (ISO/IEC 23000-22, 7.2.2), which older
    /// files do not have; those are played for ever, as browsers do. Nil is for ever.
    static func loopCount(of bytes: UnsafeRawBufferPointer) -> Int? {
        let file = ByteReader(bytes)
        guard let movie = Boxes(file).first("moov").flatMap({ file.part($0) }) else { return nil }
        for track in Boxes(movie).prefix(64) where track.kind == "trak" {
            guard let track = movie.part(track),
                let header = Boxes(track).first("tkhd").flatMap({ track.part($0) }),
                let edits = Boxes(track).first("edts").flatMap({ track.part($0) }),
                let list = Boxes(edits).first("elst").flatMap({ edits.part($0) })
            else { continue }
            guard list[3] & 1 == 1 else { return 1 }
            let whole = header[0] == 1 ? header.big64(at: 28) : header.big32(at: 20)
            let once = list[0] == 1 ? list.big64(at: 8) : list.big32(at: 8)
            // A duration of nothing but ones has no end.
            guard let whole, let once, once > 0, header[0] == 1 || whole < 0xFFFF_FFFF else {
                return nil
            }
            return max(1, whole / once + (whole % once > 0 ? 1 : 0))
        }
        return nil
    }
}
