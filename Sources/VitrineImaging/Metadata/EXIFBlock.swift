/// EXIF data, which are laid out as a TIFF: directories of tags (CIPA DC-008, 4.5).
struct EXIFBlock {
    private let bytes: ByteReader
    /// Where the TIFF begins: behind `Exif\0\0`, if that is there.
    let start: Int
    private let isLittleEndian: Bool

    /// Nil if this is none.
    init?(_ bytes: ByteReader) {
        self.bytes = bytes
        start = bytes.begins("Exif\0\0") ? 6 : 0
        if bytes.begins([0x49, 0x49, 0x2A, 0], at: start) {
            isLittleEndian = true
        } else if bytes.begins([0x4D, 0x4D, 0, 0x2A], at: start) {
            isLittleEndian = false
        } else {
            return nil
        }
    }

    /// One tag of a directory.
    struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        /// Where the value stands, or the offset of a value of more than four bytes.
        var place: Int
    }

    /// The first directory, which is about the picture.
    var main: Int? { offset(at: start + 4) }

    /// The directory of the thumbnail.
    var thumbnailDirectory: Int? {
        guard let main, let link = link(behind: main) else { return nil }
        return offset(at: link)
    }

    /// Where a directory says which one follows.
    func link(behind directory: Int) -> Int? {
        guard let count = number(at: directory, 2), count <= 4096 else { return nil }
        let place = directory + 2 + count * 12
        return bytes.has(4, at: place) ? place : nil
    }

    /// The tags of a directory, as far as they are there.
    func entries(of directory: Int) -> [Entry] {
        guard let count = number(at: directory, 2), count <= 4096 else { return [] }
        var list: [Entry] = []
        for index in 0..<count {
            guard let entry = entry(at: directory + 2 + index * 12) else { break }
            list.append(entry)
        }
        return list
    }

    private func entry(at place: Int) -> Entry? {
        guard bytes.has(12, at: place), let tag = number(at: place, 2),
            let type = number(at: place + 2, 2), let count = number(at: place + 4, 4)
        else { return nil }
        return Entry(tag: tag, type: type, count: count, place: place + 8)
    }

    func entry(_ tag: Int, of directory: Int) -> Entry? {
        entries(of: directory).first { $0.tag == tag }
    }

    /// The directory to which a tag of another one leads.
    func directory(_ tag: Int, of directory: Int) -> Int? {
        entry(tag, of: directory).flatMap { offset(at: $0.place) }
    }

    /// Where a value of more than four bytes stands.
    func value(of entry: Entry) -> Int? { offset(at: entry.place) }

    /// A number of type SHORT or LONG.
    func integer(_ tag: Int, of directory: Int) -> Int? {
        guard let entry = entry(tag, of: directory), entry.count == 1 else { return nil }
        return number(at: entry.place, entry.type == 3 ? 2 : 4)
    }

    /// A number of type RATIONAL.
    func rational(_ tag: Int, of directory: Int) -> Double? {
        guard let entry = entry(tag, of: directory), entry.type == 5, entry.count == 1,
            let place = offset(at: entry.place), let above = number(at: place, 4),
            let below = number(at: place + 4, 4), below > 0
        else { return nil }
        return Double(above) / Double(below)
    }

    /// The orientation (4.6.4, tag 274), 1…8, and 1 if there is none; nil where the data are so odd that
    /// readers may differ.
    var orientation: Int? {
        guard let main, let count = number(at: main, 2), count <= 256 else { return nil }
        var found: Int?
        for index in 0..<count {
            guard let entry = entry(at: main + 2 + index * 12) else { return nil }
            guard entry.tag == 274 else { continue }
            guard found == nil, entry.type == 3, entry.count == 1,
                let value = number(at: entry.place, 2), (1...8).contains(value)
            else { return nil }
            found = value
        }
        return found ?? 1
    }

    /// Dots per inch, where the directory says it (tags 282, 283, 296).
    func resolution(of directory: Int) -> ImageInfo.Resolution? {
        guard let across = rational(282, of: directory), let down = rational(283, of: directory)
        else { return nil }
        switch integer(296, of: directory) ?? 2 {
        case 2: return ImageInfo.Resolution(horizontal: across, vertical: down)
        case 3: return ImageInfo.Resolution(horizontal: across * 2.54, vertical: down * 2.54)
        default: return nil
        }
    }

    /// An offset from the start of the TIFF, as one within the bytes.
    private func offset(at place: Int) -> Int? {
        guard let value = number(at: place, 4), value >= 8, value <= bytes.count - start else {
            return nil
        }
        return start + value
    }

    private func number(at place: Int, _ size: Int) -> Int? {
        switch (size, isLittleEndian) {
        case (2, true): bytes.little16(at: place)
        case (2, false): bytes.big16(at: place)
        case (_, true): bytes.little32(at: place)
        case (_, false): bytes.big32(at: place)
        }
    }

    /// The bytes of a number as this block has them.
    func encoded(_ value: Int, _ size: Int) -> [UInt8] {
        let all = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittleEndian ? all : all.reversed()
    }
}
