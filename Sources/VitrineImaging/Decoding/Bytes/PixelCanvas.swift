/// Pixels being made: every write is checked against their bounds, in every build.
///
/// What is never written stays transparent black. It lives only as long as the memory is borrowed.
struct PixelCanvas {
    private let memory: UnsafeMutableRawBufferPointer
    let width: Int
    let height: Int

    init(_ memory: UnsafeMutableRawBufferPointer, size: PixelSize) {
        self.memory = memory
        width = size.width
        height = size.height
    }

    /// Writes one pixel; nothing outside the picture.
    @inline(__always)
    func set(_ x: Int, _ y: Int, _ color: PackedPixel) {
        guard UInt(bitPattern: x) < UInt(bitPattern: width),
            UInt(bitPattern: y) < UInt(bitPattern: height)
        else { return }
        let offset = (y &* width &+ x) &* 4
        guard offset >= 0, offset <= memory.count - 4 else { return }
        memory.storeBytes(of: color.bytes.littleEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Writes row `y`, if there is such a one: what `color` says of each column.
    @inline(__always)
    func setRow(_ y: Int, _ color: (Int) -> PackedPixel) {
        let stride = width &* 4
        guard y >= 0, y < height, (y &+ 1) &* stride <= memory.count else { return }
        var offset = y &* stride
        for x in 0..<width {
            memory.storeBytes(
                of: color(x).bytes.littleEndian, toByteOffset: offset, as: UInt32.self)
            offset &+= 4
        }
    }

    /// The pixel in column `x` of row `y`; transparent black outside the picture.
    @inline(__always)
    subscript(x: Int, y: Int) -> PackedPixel {
        guard UInt(bitPattern: x) < UInt(bitPattern: width),
            UInt(bitPattern: y) < UInt(bitPattern: height)
        else { return .clear }
        let offset = (y &* width &+ x) &* 4
        guard offset >= 0, offset <= memory.count - 4 else { return .clear }
        return PackedPixel(
            bytes: UInt32(
                littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    /// Whether every pixel is transparent.
    var isClear: Bool {
        for y in 0..<height {
            for x in 0..<width where self[x, y].alpha != 0 { return false }
        }
        return true
    }

    /// If every pixel is transparent, those of `rows` become opaque: an alpha channel of zeros is one
    /// that was forgotten.
    func makeOpaqueIfClear(in rows: Range<Int>) {
        guard isClear else { return }
        for y in rows {
            for x in 0..<width {
                set(x, y, PackedPixel(bytes: self[x, y].bytes | PackedPixel.black.bytes))
            }
        }
    }
}

extension PixelBuffer {
    /// A picture that `draw` draws; its errors and those of memory are what it throws.
    static func drawn(
        _ size: PixelSize, of format: RasterFormat,
        _ draw: (PixelCanvas) throws(ImagingError) -> Void
    ) throws(ImagingError) -> PixelBuffer {
        do {
            return try PixelBuffer(size: size) { try draw(PixelCanvas($0, size: size)) }
        } catch {
            throw error as? ImagingError ?? .corrupt(format: format, reason: "\(error)")
        }
    }

    /// This picture in sRGB, if `profile` is an ICC profile that tells what its colours are.
    func managed(
        by profile: ByteReader?, of format: RasterFormat
    ) throws(ImagingError) -> PixelBuffer {
        guard let profile else { return self }
        do { return try VipsColorProfile.apply(profile, to: self) } catch {
            throw error as? ImagingError ?? .corrupt(format: format, reason: "\(error)")
        }
    }

    /// This picture after the steps of `plan`.
    func resized(
        by plan: ResizePlan, of format: RasterFormat
    ) throws(ImagingError) -> PixelBuffer {
        do { return try VipsResizer.resize(self, by: plan) } catch {
            throw error as? ImagingError ?? .corrupt(format: format, reason: "\(error)")
        }
    }
}

extension DecodeOptions {
    /// How a picture of the size `source` gets the size wanted, held against the limits.
    func checkedPlan(for source: PixelSize) throws(ImagingError) -> ResizePlan {
        let plan =
            targetSize.map { ResizePlan($0, source: source) }
            ?? ResizePlan(exactly: source, source: source)
        try limits.check(result: plan.result)
        return plan
    }
}

/// Red, green, blue and alpha in one word, red lowest.
struct PackedPixel: Equatable {
    var bytes: UInt32

    static let clear = PackedPixel(bytes: 0)
    static let black = PackedPixel(bytes: 0xFF00_0000)

    @inline(__always)
    init(bytes: UInt32) {
        self.bytes = bytes
    }

    @inline(__always)
    init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        bytes = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

    var alpha: UInt8 { UInt8(truncatingIfNeeded: bytes >> 24) }
}
