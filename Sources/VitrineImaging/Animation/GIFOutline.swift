/// The blocks of a GIF (GIF89a, 17 to 27; the NETSCAPE2.0 extension for loops).
extension AnimationOutline {
    /// Reads the blocks up to the trailer, or as far as there are any; nil if there is no whole header.
    ///
    /// With `acceptsPart` the file may end within its first frame, which then counts as a frame.
    ///
    /// A frame's payload begins at its image descriptor and ends behind its data.
    init?(
        gif bytes: UnsafeRawBufferPointer, storing limit: Int, acceptsPart: Bool = false
    ) {
        self.init(storing: limit)
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
            bytes.count >= 13
        else { return nil }
        canvas = PixelSize(width: width, height: height)
        var next = Frame()
        next.blends = true
        next.isOpaque = true
        let plain = next
        var offset = 13 + GIFTable.byteCount(flags: bytes[10])
        blocks: while offset < bytes.count {
            switch bytes[offset] {
            case 0x21:
                let kind = offset + 1 < bytes.count ? bytes[offset + 1] : 0
                let body = offset + 2
                guard let end = Self.skipBlocks(bytes, from: body) else { break blocks }
                if kind == 0xF9 { Self.readControl(bytes, at: body, into: &next) }
                if kind == 0xFF { readLoops(bytes, at: body) }
                offset = end
            case 0x2C:
                guard bytes.count - offset > 10 else { break blocks }
                let data = offset + 10 + GIFTable.byteCount(flags: bytes[offset + 9]) + 1
                var end = Self.skipBlocks(bytes, from: data)
                if acceptsPart, frames.isEmpty, data <= bytes.count { end = end ?? bytes.count }
                guard let end else { break blocks }
                next.x = bytes.littleEndian16(at: offset + 1) ?? 0
                next.y = bytes.littleEndian16(at: offset + 3) ?? 0
                next.width = bytes.littleEndian16(at: offset + 5) ?? 0
                next.height = bytes.littleEndian16(at: offset + 7) ?? 0
                next.payload = offset..<end
                add(next)
                next = plain
                offset = end
            default: break blocks  // the trailer, or what no viewer looks at
            }
        }
        growCanvas()
    }

    /// Some old files have no screen size, or one that is smaller than their first frame; browsers
    /// make room for that.
    private mutating func growCanvas() {
        guard let first = frames.first else { return }
        let isTooSmall = first.width > canvas.width || first.height > canvas.height
        guard isTooSmall else { return }
        canvas = PixelSize(
            width: max(canvas.width, first.width), height: max(canvas.height, first.height))
        changeFirst { frame in
            frame.x = 0
            frame.y = 0
        }
    }

    /// The offset behind the sub-blocks that begin at `offset`; nil if the file ends before.
    private static func skipBlocks(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        var offset = offset
        while offset < bytes.count {
            let length = Int(bytes[offset])
            offset += 1 + length
            if length == 0 { return offset }
        }
        return nil
    }

    /// The graphic control extension (23).
    private static func readControl(
        _ bytes: UnsafeRawBufferPointer, at body: Int, into frame: inout Frame
    ) {
        guard bytes[body] >= 4 else { return }
        let flags = bytes[body + 1]
        frame.delay = .milliseconds(10 * (bytes.littleEndian16(at: body + 2) ?? 0))
        // 4 is what some old programs wrote for 3.
        frame.disposal =
            switch flags >> 2 & 7 {
            case 2: .clear
            case 3, 4: .restore
            default: .keep
            }
        frame.transparentIndex = flags & 1 == 1 ? bytes[body + 4] : nil
        frame.isOpaque = frame.transparentIndex == nil
    }

    /// The loops of an application extension (26): as many repeats as it says, after the first time.
    private mutating func readLoops(_ bytes: UnsafeRawBufferPointer, at body: Int) {
        guard bytes[body] == 11,
            bytes.begins("NETSCAPE2.0", at: body + 1) || bytes.begins("ANIMEXTS1.0", at: body + 1),
            bytes.begins([3, 1], at: body + 12), let repeats = bytes.littleEndian16(at: body + 14)
        else { return }
        loopCount = repeats == 0 ? nil : repeats + 1
    }
}

/// A palette of a GIF.
enum GIFTable {
    /// Bytes of the table that a flags byte announces.
    static func byteCount(flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// The colours as RGBA; 256 of them, black where the table ends.
    static func colors(_ bytes: UnsafeRawBufferPointer, at offset: Int, flags: UInt8) -> [UInt32] {
        var colors = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<byteCount(flags: flags) / 3 where offset + index * 3 + 2 < bytes.count {
            let place = offset + index * 3
            let color =
                UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
                | UInt32(bytes[place + 2]) << 16 | 0xFF00_0000
            colors[index] = UInt32(littleEndian: color)
        }
        return colors
    }
}
