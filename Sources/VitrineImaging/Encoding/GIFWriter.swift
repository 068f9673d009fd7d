import FoundationEssentials

/// Writes an animated GIF (GIF89a) frame by frame: libvips finds the palette of each frame and
/// compresses it, and what it has made is put into one file.
///
/// Of a frame only the part that changes is written, and within that what stays is transparent. Where
/// a pixel becomes transparent the whole picture is cleared and drawn anew, for a GIF cannot erase
/// otherwise.
struct GIFWriter {
    private struct Shown {
        let frame: PixelBuffer
        let hundredths: Int
    }

    private let size: PixelSize
    private let options: EncodeOptions
    private var file = Data()
    /// The last frame given, which is written once it is known what follows.
    private var last: Shown?
    /// What is seen before `last`; nil is nothing.
    private var below: PixelBuffer?
    /// What rounding has left over.
    private var rest = Duration.zero

    init(size: PixelSize, loopCount: Int?, options: EncodeOptions) {
        self.size = size
        self.options = options
        file += Array("GIF89a".utf8) + Self.bytes(size.width) + Self.bytes(size.height)
        file += [0x70, 0, 0]  // no palette for all, 8 bits a colour
        if loopCount != 1 {
            let repeats = min((loopCount ?? 1) - 1, 65_535)
            file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
            file += [3, 1] + Self.bytes(repeats) + [0]
        }
    }

    mutating func add(_ frame: PixelBuffer, duration: Duration) throws {
        guard frame.size == size else {
            throw ImagingError.encodingFailed(format: .gif, reason: "its frames differ in size")
        }
        // Hundredths of a second; less than two of them are not taken seriously by any viewer.
        let hundredths = min(max(2, (duration + rest).count(ofMilliseconds: 10)), 65_535)
        rest = max(.zero, duration + rest - .milliseconds(10 * hundredths))
        let next = Shown(frame: frame, hundredths: hundredths)
        if let last { try write(last, before: frame) }
        last = next
    }

    mutating func finish() throws -> Data {
        if let last { try write(last, before: nil) }
        return file + [0x3B]
    }

    private mutating func write(_ shown: Shown, before next: PixelBuffer?) throws {
        let clears = next.map { Self.erases(from: shown.frame, to: $0) } ?? false
        let part = try Self.part(of: shown.frame, over: clears ? nil : below)
        try append(part.pixels, x: part.x, y: part.y, shown.hundredths, clears: clears)
        below = clears ? nil : shown.frame
    }

    /// Encodes `pixels` as a GIF of its own and takes its only frame.
    private mutating func append(
        _ pixels: PixelBuffer, x: Int, y: Int, _ hundredths: Int, clears: Bool
    ) throws {
        let own = try ImageEncoder.encode(pixels, as: .gif, options: options)
        let isDone = own.withUnsafeBytes { bytes -> Bool in
            guard let outline = AnimationOutline(gif: bytes, storing: 1),
                let frame = outline.frames.first
            else { return false }
            let start = frame.payload.lowerBound
            let flags = bytes[start + 9]
            let isLocal = flags & 0x80 != 0
            let table = isLocal ? start + 10 : 13
            let tableFlags = isLocal ? flags : bytes[10]
            let data = start + 10 + GIFTable.byteCount(flags: flags)
            let disposal: UInt8 = clears ? 2 : 1
            file += [
                0x21, 0xF9, 4, disposal << 2 | (frame.transparentIndex == nil ? 0 : 1),
            ]
            file += Self.bytes(hundredths) + [frame.transparentIndex ?? 0, 0]
            file += [0x2C] + Self.bytes(x) + Self.bytes(y)
            file += Self.bytes(pixels.size.width) + Self.bytes(pixels.size.height)
            file.append(0x80 | tableFlags & 7 | flags & 0x40)
            file += bytes[table..<table + GIFTable.byteCount(flags: tableFlags)]
            file += bytes[data..<frame.payload.upperBound]
            return true
        }
        guard isDone else {
            throw ImagingError.encodingFailed(format: .gif, reason: "libvips wrote no frame")
        }
    }

    // MARK: - What changes

    /// From here on a pixel counts as opaque, as libvips has it.
    private static let leastAlpha = 128

    private static func isOpaque(_ pixel: UInt32) -> Bool {
        Int(UInt32(littleEndian: pixel) >> 24) >= leastAlpha
    }

    /// Whether a pixel of `frame` is transparent in `next`.
    private static func erases(from frame: PixelBuffer, to next: PixelBuffer) -> Bool {
        if next.isOpaque { return false }
        return with(frame, next) { frame, next in
            frame.indices.contains { isOpaque(frame[$0]) && !isOpaque(next[$0]) }
        }
    }

    /// The part of `frame` that differs from what is `below`, and where it lies.
    private static func part(
        of frame: PixelBuffer, over below: PixelBuffer?
    ) throws -> (pixels: PixelBuffer, x: Int, y: Int) {
        guard let below else { return (frame, 0, 0) }
        let width = frame.size.width
        return try with(frame, below) { frame, below in
            var (left, right, top, bottom) = (width, -1, Int.max, -1)
            for index in frame.indices where frame[index] != below[index] {
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                left = min(left, x)
                right = max(right, x)
                top = min(top, y)
                bottom = max(bottom, y)
            }
            if right < 0 { (left, right, top, bottom) = (0, 0, 0, 0) }  // a frame has some pixel
            let size = PixelSize(width: right - left + 1, height: bottom - top + 1)
            let part = try PixelBuffer(size: size) { memory in
                let target = memory.bindMemory(to: UInt32.self)
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let index = (top + y) * width + left + x
                        if frame[index] != below[index] {
                            target[y * size.width + x] = frame[index]
                        }
                    }
                }
            }
            return (part, left, top)
        }
    }

    private static func with<R>(
        _ one: PixelBuffer, _ other: PixelBuffer,
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<UInt32>) throws -> R
    ) rethrows -> R {
        try one.withUnsafeBytes { one in
            try other.withUnsafeBytes { other in
                try body(one.bindMemory(to: UInt32.self), other.bindMemory(to: UInt32.self))
            }
        }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
