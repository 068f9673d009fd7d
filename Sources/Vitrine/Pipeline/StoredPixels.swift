import FoundationEssentials
import VitrineImaging

/// Pixels as they are, for keeping: a mark, width, height, bytes of a pixel (3 for an opaque picture, else
/// 4), and the rows. What is not of this form is nil.
enum StoredPixels {
    private static let mark: [UInt8] = Array("VPX\u{1}".utf8)
    private static let headerSize = 16

    static func encode(_ frame: PixelBuffer) -> Data {
        let pixels = frame.byteCount / 4
        let depth = frame.isOpaque ? 3 : 4
        var data = Data(mark)
        for number in [frame.size.width, frame.size.height, depth] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) {
                data.append(contentsOf: $0)
            }
        }
        frame.withUnsafeBytes { source in
            guard depth == 3 else { return data.append(contentsOf: source) }
            data.count += pixels * 3
            data.withUnsafeMutableBytes { bytes in
                let target = UnsafeMutableRawBufferPointer(rebasing: bytes[headerSize...])
                var place = 0
                for offset in stride(from: 0, to: pixels * 4, by: 4) {
                    target[place] = source[offset]
                    target[place &+ 1] = source[offset &+ 1]
                    target[place &+ 2] = source[offset &+ 2]
                    place &+= 3
                }
            }
        }
        return data
    }

    /// The size that the bytes tell of, if they are as many as it takes.
    static func size(of data: Data) -> PixelSize? { header(of: data)?.size }

    private static func header(of data: Data) -> (size: PixelSize, depth: Int)? {
        guard data.count > headerSize, data.starts(with: mark) else { return nil }
        func number(_ place: Int) -> Int {
            let start = data.startIndex + place
            return data[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let (width, height, depth) = (number(4), number(8), number(12))
        let size = PixelSize(width: width, height: height)
        guard depth == 3 || depth == 4, width > 0, height > 0, let pixels = size.pixelCount,
            pixels <= (data.count - headerSize) / depth, pixels * depth == data.count - headerSize
        else { return nil }
        return (size, depth)
    }

    static func decode(_ data: Data) throws -> PixelBuffer? {
        guard let (size, depth) = header(of: data) else { return nil }
        return try PixelBuffer(size: size, isOpaque: depth == 3) { target in
            data.withUnsafeBytes { bytes in
                let source = UnsafeRawBufferPointer(rebasing: bytes[headerSize...])
                guard depth == 3 else { return target.copyMemory(from: source) }
                var place = 0
                for offset in stride(from: 0, to: target.count, by: 4) {
                    target[offset] = source[place]
                    target[offset &+ 1] = source[place &+ 1]
                    target[offset &+ 2] = source[place &+ 2]
                    target[offset &+ 3] = 255
                    place &+= 3
                }
            }
        }
    }
}
