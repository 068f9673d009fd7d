import FoundationEssentials

/// Changes to EXIF data in place, so that no offset moves.
struct EXIFEdit {
    private(set) var bytes: Data

    init(_ bytes: Data) {
        self.bytes = Data(bytes)
    }

    /// Upright, of this size, without a thumbnail.
    mutating func adapt(to size: PixelSize) {
        let changes = read { exif -> [(Int, [UInt8])] in
            guard let main = exif.main else { return [] }
            var changes: [(Int, [UInt8])] = []
            if let entry = exif.entry(274, of: main), entry.type == 3 {
                changes.append((entry.place, exif.encoded(1, 2)))
            }
            // PixelXDimension and PixelYDimension.
            if let details = exif.directory(0x8769, of: main) {
                for (tag, side) in [(0xA002, size.width), (0xA003, size.height)] {
                    guard let entry = exif.entry(tag, of: details), entry.count == 1 else {
                        continue
                    }
                    let width = entry.type == 3 ? 2 : 4
                    changes.append((entry.place, exif.encoded(side, width)))
                }
            }
            if let directory = exif.thumbnailDirectory {
                if let start = exif.integer(513, of: directory),
                    let length = exif.integer(514, of: directory), start <= bytes.count,
                    length <= bytes.count
                {
                    changes.append((exif.start + start, Array(repeating: 0, count: length)))
                }
                changes += clearing(directory, exif)
                if let link = exif.link(behind: main) {
                    changes.append((link, [0, 0, 0, 0]))
                }
            }
            return changes
        }
        write(changes ?? [])
    }

    /// Empties the directory to which a tag of the main one leads, its values too.
    mutating func clearDirectory(named tag: Int) {
        let changes = read { exif -> [(Int, [UInt8])] in
            guard let main = exif.main, let directory = exif.directory(tag, of: main) else {
                return []
            }
            return clearing(directory, exif)
        }
        write(changes ?? [])
    }

    private func clearing(_ directory: Int, _ exif: EXIFBlock) -> [(Int, [UInt8])] {
        let sizes = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
        let entries = exif.entries(of: directory)
        var changes = [(directory, Array(repeating: UInt8(0), count: 2 + entries.count * 12))]
        for entry in entries {
            let size = sizes.indices.contains(entry.type) ? sizes[entry.type] : 1
            let length = size * entry.count
            if length > 4, length <= bytes.count, let place = exif.value(of: entry) {
                changes.append((place, Array(repeating: 0, count: length)))
            }
        }
        return changes
    }

    private func read<R>(_ body: (EXIFBlock) -> R) -> R? {
        bytes.withUnsafeBytes { EXIFBlock(ByteReader($0)).map(body) }
    }

    private mutating func write(_ changes: [(Int, [UInt8])]) {
        for (place, values) in changes {
            for (index, value) in values.enumerated() where place + index < bytes.count {
                bytes[place + index] = value
            }
        }
    }
}
