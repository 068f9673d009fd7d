/// The pictures of an ICO or CUR file: what its directory points to, as their own headers tell, for the
/// sizes in the directory end at 256 and are often wrong.
struct IconDirectory {
    /// One of the pictures.
    struct Entry: Equatable {
        let size: PixelSize
        /// Bits a pixel; more of them win among equals.
        let depth: Int
        let isPNG: Bool
        /// Where it begins in the file.
        let offset: Int
        /// Its bytes.
        let length: Int
    }

    /// At least one.
    let entries: [Entry]

    /// Reads the directory and the headers that it points to. A picture with a broken header does not
    /// count as long as there is another one; but none may lie beyond the file's end, even if another
    /// one is shown now.
    init(_ bytes: ByteReader) throws(ImagingError) {
        guard let count = bytes.little16(at: 4) else { throw .truncated(format: .ico) }
        guard count > 0 else { throw .corrupt(format: .ico, reason: "it has no pictures") }
        guard bytes.has(count * 16, at: 6) else { throw .truncated(format: .ico) }
        var entries: [Entry] = []
        var failure: ImagingError?
        for index in 0..<count {
            let place = 6 + index * 16
            guard let length = bytes.little32(at: place + 8),
                let offset = bytes.little32(at: place + 12)
            else { throw .truncated(format: .ico) }
            do throws(ImagingError) {
                entries.append(try Self.entry(bytes, offset: offset, length: length))
            } catch {
                if case .truncated = error { throw error }
                failure = failure ?? error
            }
        }
        guard !entries.isEmpty else {
            throw failure ?? .corrupt(format: .ico, reason: "it has no pictures")
        }
        self.entries = entries
    }

    /// The largest picture, the deepest of equals.
    var largest: Entry {
        entries.reduce(entries[0]) { Self.isBetter($1, than: $0) ? $1 : $0 }
    }

    /// The smallest picture that needs not be enlarged to `size`, or the largest.
    func best(for size: PixelSize) -> Entry {
        var best: Entry?
        for entry in entries
        where entry.size.width >= size.width && entry.size.height >= size.height {
            guard let found = best else {
                best = entry
                continue
            }
            let isSmaller = Self.area(entry) < Self.area(found)
            let isDeeper = Self.area(entry) == Self.area(found) && entry.depth > found.depth
            if isSmaller || isDeeper { best = entry }
        }
        return best ?? largest
    }

    private static func area(_ entry: Entry) -> Int { entry.size.pixelCount ?? 0 }

    private static func isBetter(_ one: Entry, than other: Entry) -> Bool {
        area(one) == area(other) ? one.depth > other.depth : area(one) > area(other)
    }

    private static func entry(
        _ bytes: ByteReader, offset: Int, length: Int
    ) throws(ImagingError) -> Entry {
        guard let data = bytes.part(at: offset, count: length) else {
            throw .truncated(format: .ico)
        }
        if data.begins([0x89, 0x50, 0x4E, 0x47]) {
            guard let width = data.big32(at: 16), let height = data.big32(at: 20),
                let bits = data.byte(at: 24)
            else { throw .truncated(format: .ico) }
            guard data.begins("IHDR", at: 12), width > 0, height > 0 else {
                throw .corrupt(format: .ico, reason: "the PNG inside has no size")
            }
            return Entry(
                size: PixelSize(width: width, height: height), depth: max(32, Int(bits) * 4),
                isPNG: true, offset: offset, length: length)
        }
        do throws(ImagingError) {
            let header = try BMPHeader(data)
            return Entry(
                size: PixelSize(width: header.size.width, height: max(1, header.size.height / 2)),
                depth: header.bitsPerPixel, isPNG: false, offset: offset, length: length)
        } catch {
            throw ICODecoder.error(error)
        }
    }
}
