import Glibc

/// The picture on which the frames of an animation are drawn one after the other.
///
/// Not for sharing.
final class FrameCanvas {
    let size: PixelSize
    private let memory: UnsafeMutableBufferPointer<UInt32>
    private var last: AnimationOutline.Frame?
    /// What lay beneath the last frame, if that is to be restored.
    private var saved: [UInt32] = []

    /// A transparent canvas.
    ///
    /// - Throws: ``ImagingError/outOfMemory(bytes:)``.
    init(size: PixelSize) throws(ImagingError) {
        let count = size.pixelCount ?? Int.max
        guard count < 1 << 38, let start = calloc(count, 4) else {
            throw .outOfMemory(bytes: count.multipliedReportingOverflow(by: 4).partialValue)
        }
        self.size = size
        memory = UnsafeMutableBufferPointer(
            start: start.bindMemory(to: UInt32.self, capacity: count), count: count)
    }

    deinit { free(memory.baseAddress) }

    /// Its bytes as RGBA.
    func withUnsafeBytes<R, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Its bytes as RGBA, to be written.
    func withUnsafeMutableBytes<R, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        try body(UnsafeMutableRawBufferPointer(memory))
    }

    /// Does what the last frame wants done before the next one, which is `frame`.
    func begin(_ frame: AnimationOutline.Frame) {
        if let last {
            switch last.disposal {
            case .keep: break
            case .clear: forEachRow(of: last) { row, _ in row.update(repeating: 0) }
            case .restore:
                var offset = 0
                forEachRow(of: last) { row, _ in
                    for column in row.indices { row[column] = saved[offset + column] }
                    offset += row.count
                }
            }
        }
        saved.removeAll(keepingCapacity: true)
        if frame.disposal == .restore { forEachRow(of: frame) { row, _ in saved += row } }
        last = frame
    }

    /// Gives `body` the part of each row that `frame` covers, and that row's number in the frame. What
    /// sticks out on the right or below is left out.
    func forEachRow(
        of frame: AnimationOutline.Frame,
        _ body: (_ row: UnsafeMutableBufferPointer<UInt32>, _ index: Int) -> Void
    ) {
        let width = min(frame.width, size.width - frame.x)
        let height = min(frame.height, size.height - frame.y)
        guard width > 0, height > 0 else { return }
        for index in 0..<height {
            let start = (frame.y + index) * size.width + frame.x
            body(UnsafeMutableBufferPointer(rebasing: memory[start..<start + width]), index)
        }
    }

    /// Draws the pixels of `frame`, straight RGBA, of which there are exactly as many as it covers.
    func draw(_ pixels: UnsafeRawBufferPointer, _ frame: AnimationOutline.Frame) {
        let source = pixels.bindMemory(to: UInt32.self)
        guard source.count >= frame.width * frame.height else { return }
        forEachRow(of: frame) { row, index in
            let start = index * frame.width
            if frame.blends, !frame.isOpaque {
                for column in row.indices {
                    row[column] = Self.over(source[start + column], row[column])
                }
            } else {
                for column in row.indices { row[column] = source[start + column] }
            }
        }
    }

    /// `source` laid over `below`, both with straight alpha.
    private static func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
        let top = UInt32(littleEndian: source)
        let alpha = top >> 24
        if alpha == 255 { return source }
        if alpha == 0 { return below }
        let base = UInt32(littleEndian: below)
        if base >> 24 == 0 { return source }
        // In 255ths of 255ths.
        let rest = (base >> 24) * (255 - alpha)
        let whole = alpha * 255 + rest
        func channel(_ shift: UInt32) -> UInt32 {
            let sum = (top >> shift & 255) * alpha * 255 + (base >> shift & 255) * rest
            return ((sum + whole / 2) / whole) << shift
        }
        let color = channel(0) | channel(8) | channel(16)
        return UInt32(littleEndian: color | ((whole + 127) / 255) << 24)
    }
}
