import FoundationEssentials
import PixelSupport
import VitrineImaging

/// The simplest files that hold a drawn animation.
extension DrawnAnimation {
    // MARK: - GIF

    /// A palette of at most 64 colours, found in the frames; no compression to speak of.
    ///
    /// `plays` 1 writes no loop extension, 0 is for ever.
    func gif(interlaced: Bool = false, hasTrailer: Bool = true) -> Data {
        var palette: [Pixel] = [Self.clear]
        for pixel in frames.flatMap(\.pixels) where !palette.contains(pixel) && pixel.alpha > 0 {
            palette.append(pixel)
        }
        var file = Array("GIF89a".utf8) + little(width) + little(height)
        file += [0xF5, 0, 0]
        for index in 0..<64 {
            let color = index < palette.count ? palette[index] : Self.clear
            file += [color.red, color.green, color.blue]
        }
        if plays != 1 {
            file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
            file += little(max(0, plays - 1)) + [0]
        }
        for frame in frames {
            let isClear = frame.pixels.contains { $0.alpha == 0 }
            let disposal: UInt8 = [1, 2, 3][Int(frame.disposal.rawValue)]
            file += [0x21, 0xF9, 4, disposal << 2 | (isClear ? 1 : 0)]
            file += little(frame.milliseconds / 10) + [0, 0]
            file += [0x2C] + little(frame.x) + little(frame.y)
            file += little(frame.width) + little(frame.height) + [interlaced ? 0x40 : 0]
            var rows = Array(0..<frame.height)
            if interlaced {
                rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
                    stride(from: start, to: frame.height, by: step)
                }
            }
            let indices = rows.flatMap { row in
                frame.pixels[row * frame.width..<(row + 1) * frame.width].map { pixel in
                    UInt8(palette.firstIndex(of: pixel) ?? 0)
                }
            }
            file.append(6)
            file += blocks(Self.codes(indices))
        }
        return Data(hasTrailer ? file + [0x3B] : file)
    }

    /// Seven-bit codes: every value as itself, and a clear code often enough to keep it at seven bits.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var pending = 0
        var count = 0
        func put(_ code: Int) {
            pending |= code << count
            count += 7
            while count >= 8 {
                bytes.append(UInt8(pending & 255))
                pending >>= 8
                count -= 8
            }
        }
        for (place, index) in indices.enumerated() {
            if place.isMultiple(of: 50) { put(64) }
            put(Int(index))
        }
        put(65)
        if count > 0 { bytes.append(UInt8(pending & 255)) }
        return bytes
    }

    private func blocks(_ bytes: [UInt8]) -> [UInt8] {
        var data: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let part = bytes[start..<min(start + 255, bytes.count)]
            data.append(UInt8(part.count))
            data += part
        }
        return data + [0]
    }

    // MARK: - APNG

    /// RGBA without compression. With `hidden` the file's still picture, of that colour, is no frame;
    /// nor is it if the first frame is not as large as the picture.
    func png(hidden: Pixel? = nil, numerator: Int? = nil, denominator: Int = 1000) -> Data {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += PNGWriting.chunk("IHDR", big(width) + big(height) + [8, 6, 0, 0, 0])
        file += PNGWriting.chunk("acTL", big(frames.count) + big(plays))
        let isWhole = frames.first?.width == width && frames.first?.height == height
        let hidden = hidden ?? (isWhole ? nil : Self.clear)
        if let hidden {
            let pixels = Array(repeating: hidden, count: width * height)
            file += PNGWriting.chunk("IDAT", PNGWriting.rows(pixels, width: width))
        }
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            var control = big(sequence) + big(frame.width) + big(frame.height)
            control += big(frame.x) + big(frame.y)
            control += Array(big(numerator ?? frame.milliseconds)[2...])
            control += Array(big(denominator)[2...])
            control += [frame.disposal.rawValue, frame.blends ? 1 : 0]
            file += PNGWriting.chunk("fcTL", control)
            sequence += 1
            let rows = PNGWriting.rows(frame.pixels, width: frame.width)
            if index == 0, hidden == nil {
                file += PNGWriting.chunk("IDAT", rows)
            } else {
                file += PNGWriting.chunk("fdAT", big(sequence) + rows)
                sequence += 1
            }
        }
        return Data(file + PNGWriting.chunk("IEND", []))
    }

    // MARK: - WebP

    /// Lossless frames, each compressed by the encoder for still pictures.
    func webp() throws -> Data {
        var body = Array("WEBP".utf8)
        body += riff("VP8X", [0x12, 0, 0, 0] + little24(width - 1) + little24(height - 1))
        body += riff("ANIM", [255, 0, 0, 255] + little(plays))
        for frame in frames {
            let still = PixelBuffer.drawn(
                PixelSize(width: frame.width, height: frame.height)
            ) { frame.pixels[$1 * frame.width + $0] }
            let file = try RasterImage(still)
                .encoded(as: .webp, options: EncodeOptions(lossless: true))
            var chunk = Array(file.dropFirst(12))
            if chunk.starts(with: "VP8X".utf8) { chunk.removeFirst(18) }
            var control = little24(frame.x / 2) + little24(frame.y / 2)
            control += little24(frame.width - 1) + little24(frame.height - 1)
            control += little24(frame.milliseconds)
            control += [(frame.disposal == .clear ? 1 : 0) | (frame.blends ? 0 : 2)]
            body += riff("ANMF", control + chunk)
        }
        return Data(Array("RIFF".utf8) + little(body.count) + little(body.count >> 16) + body)
    }

    private func riff(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let head = Array(kind.utf8) + little(body.count) + little(body.count >> 16)
        return head + body + (body.count % 2 == 0 ? [] : [0])
    }

    private func little(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    private func little24(_ number: Int) -> [UInt8] {
        little(number) + [UInt8(truncatingIfNeeded: number >> 16)]
    }

    private func big(_ number: Int) -> [UInt8] { PNGWriting.bigEndian(UInt32(number)) }
}

/// Chunks of PNG, and pixels as a zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
enum PNGWriting {
    static func rows(_ pixels: [Pixel], width: Int) -> [UInt8] {
        var raw: [UInt8] = []
        for (index, pixel) in pixels.enumerated() {
            if index.isMultiple(of: width) { raw.append(0) }
            raw += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
        }
        var (a, b) = (1, 0)
        for byte in raw {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let size = UInt16(raw.count)
        let sizes = [size, ~size].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        return [0x78, 0x01, 1] + sizes + raw + bigEndian(UInt32(b << 16 | a))
    }

    static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + body
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in content {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return bigEndian(UInt32(body.count)) + content + bigEndian(~crc)
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
