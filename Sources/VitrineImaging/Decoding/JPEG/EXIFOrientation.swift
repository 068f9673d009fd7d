/// The orientation in EXIF data (CIPA DC-008, 4.6.4, tag 274).
enum EXIFOrientation {
    /// 1…8, 1 if there is none; nil where the data are so odd that readers may differ.
    static func read(_ data: ByteReader) -> Int? {
        let isLittle: Bool
        if data.begins("II*\0") {
            isLittle = true
        } else if data.begins("MM\0*") {
            isLittle = false
        } else {
            return nil
        }
        func short(_ offset: Int) -> Int? {
            isLittle ? data.little16(at: offset) : data.big16(at: offset)
        }
        func long(_ offset: Int) -> Int? {
            isLittle ? data.little32(at: offset) : data.big32(at: offset)
        }
        guard let directory = long(4), directory >= 8, let count = short(directory), count <= 256,
            data.has(12 * count, at: directory + 2)
        else { return nil }
        var found: Int?
        for entry in stride(from: directory + 2, to: directory + 2 + 12 * count, by: 12)
        where short(entry) == 274 {
            guard found == nil, short(entry + 2) == 3, long(entry + 4) == 1,
                let value = short(entry + 8), (1...8).contains(value)
            else { return nil }
            found = value
        }
        return found ?? 1
    }
}
