import VitrineBase

/// The pixels of a buffer as one 32-bit word each: red in the lowest byte, alpha in the highest.
typealias PixelWords = UnsafeBufferPointer<UInt32>
/// Words to be written.
typealias MutablePixelWords = UnsafeMutableBufferPointer<UInt32>

/// What loops over pixels stand on.
///
/// The compiler turns plain loops over such words, with `&+` and `>>`, into vector instructions; it does
/// not so with generic SIMD types. In builds for debugging every access is checked against the bounds.
extension PixelBuffer {
    /// Gives `body` the pixels, row by row.
    func withWords<R>(_ body: (PixelWords) throws -> R) rethrows -> R {
        try withUnsafeBytes { try body($0.bindMemory(to: UInt32.self)) }
    }

    /// A buffer whose words `fill` writes; with nil for `isOpaque` it finds out by itself.
    convenience init(
        words size: PixelSize, isOpaque: Bool?, fill: (MutablePixelWords) throws -> Void
    ) throws {
        let write = { (bytes: UnsafeMutableRawBufferPointer) in
            try fill(bytes.bindMemory(to: UInt32.self))
        }
        if let isOpaque {
            try self.init(size: size, isOpaque: isOpaque, fill: write)
        } else {
            try self.init(size: size, fill: write)
        }
    }

    /// A buffer of the same size, of which `body` must write each word.
    func transformed(
        isOpaque: Bool?, _ body: (_ source: PixelWords, _ target: MutablePixelWords) throws -> Void
    ) throws -> PixelBuffer {
        try PixelBuffer(unclearedWords: size, isOpaque: isOpaque) { target in
            try withWords { try body($0, target) }
        }
    }

    /// A buffer of which `fill` must write each word; with nil for `isOpaque` it finds out by itself.
    convenience init(
        unclearedWords size: PixelSize, isOpaque: Bool?, fill: (MutablePixelWords) throws -> Void
    ) throws {
        try self.init(unclearedSize: size, isOpaque: isOpaque) {
            try fill($0.bindMemory(to: UInt32.self))
        }
    }

    /// "16x16:9f86…": size and hash of the pixels, which tell them from all others. About 9 ms a
    /// megabyte.
    var digest: String {
        "\(size.width)x\(size.height):\(withUnsafeBytes { SHA256.hex($0) })"
    }
}

/// `value` / 255, rounded to the nearest; exact for values up to 65,535.
@inline(__always)
func dividedBy255(_ value: UInt32) -> UInt32 {
    let sum = value &+ 128
    return (sum &+ (sum >> 8)) >> 8
}
