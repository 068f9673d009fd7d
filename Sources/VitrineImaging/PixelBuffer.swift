import Glibc

/// One colour: red, green, blue and alpha, 8 bits each, straight (not premultiplied) alpha, sRGB.
public struct Pixel: Sendable, Hashable, CustomStringConvertible {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8
    /// Alpha: 0 is transparent, 255 opaque.
    public var alpha: UInt8

    /// A colour; opaque unless told otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// For example "(255, 0, 128, 255)".
    public var description: String { "(\(red), \(green), \(blue), \(alpha))" }
}

/// A picture in memory that never changes: 8-bit RGBA, straight alpha, sRGB.
///
/// The first row is the top one; rows are tightly packed, `size.width * 4` bytes each. The memory
/// belongs to the buffer and stays at one address as long as the buffer lives, so that it can be
/// handed to others without a copy. From 128 KB on it has pages of its own, which the system gets back
/// with the buffer, but for 8 MB in all that are kept for buffers of the same size.
public final class PixelBuffer: @unchecked Sendable {
    // Unchecked because of the pointer: nothing writes to its memory once `init` has returned.
    private let memory: UnsafeMutableRawBufferPointer

    /// Width and height.
    public let size: PixelSize
    /// True if every pixel's alpha is 255.
    public let isOpaque: Bool

    /// A buffer whose pixels `fill` writes; they are zero (transparent black) before.
    ///
    /// With `isOpaque` the caller says that every alpha will be 255; it is not checked.
    ///
    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` if a side is not positive,
    ///   ``ImagingError/tooLarge(what:found:limit:)`` if the bytes cannot be counted,
    ///   ``ImagingError/outOfMemory(bytes:)``, and what `fill` throws.
    public convenience init(
        size: PixelSize, isOpaque: Bool, fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let memory = try Self.allocate(size)
        do { try fill(memory) } catch {
            PixelMemory.release(memory)
            throw error
        }
        self.init(adopting: memory, size: size, isOpaque: isOpaque)
    }

    /// A buffer that finds out by itself whether it is opaque: one pass over the pixels, about 0.1 ms
    /// a million of them.
    package convenience init(
        size: PixelSize, fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let memory = try Self.allocate(size)
        do { try fill(memory) } catch {
            PixelMemory.release(memory)
            throw error
        }
        let opaque = Self.isOpaque(UnsafeRawBufferPointer(memory))
        self.init(adopting: memory, size: size, isOpaque: opaque)
    }

    /// A buffer whose pixels `fill` writes, every one of them, since they hold anything before; with nil
    /// for `isOpaque` it finds out by itself.
    ///
    /// Clearing them first would take half as long as a copy.
    convenience init(
        unclearedSize size: PixelSize, isOpaque: Bool?,
        fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let memory = try Self.allocate(size, cleared: false)
        do { try fill(memory) } catch {
            PixelMemory.release(memory)
            throw error
        }
        let opaque = isOpaque ?? Self.isOpaque(UnsafeRawBufferPointer(memory))
        self.init(adopting: memory, size: size, isOpaque: opaque)
    }

    private init(adopting memory: UnsafeMutableRawBufferPointer, size: PixelSize, isOpaque: Bool) {
        self.memory = memory
        self.size = size
        self.isOpaque = isOpaque
    }

    deinit { PixelMemory.release(memory) }

    /// The bytes of all pixels: width × height × 4.
    public var byteCount: Int { memory.count }

    /// Gives `body` the bytes: R, G, B, A of each pixel, row by row.
    ///
    /// The address stays valid as long as the buffer lives.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(memory)) }
    }

    /// The pixel in column `x` of row `y`, counted from the top left; nil outside the picture.
    public subscript(x: Int, y: Int) -> Pixel? {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return nil }
        let offset = (y * size.width + x) * 4
        return Pixel(
            red: memory[offset], green: memory[offset + 1], blue: memory[offset + 2],
            alpha: memory[offset + 3])
    }

    private static func allocate(
        _ size: PixelSize, cleared: Bool = true
    ) throws -> UnsafeMutableRawBufferPointer {
        guard size.width > 0, size.height > 0 else {
            throw ImagingError.invalidArgument(
                name: "size", reason: "\(size) has a side that is not positive")
        }
        guard let pixels = size.pixelCount, pixels <= Int.max / 4 else {
            throw ImagingError.tooLarge(what: .resultPixels, found: Int.max, limit: Int.max / 4)
        }
        // Beyond a terabyte the system is not even asked: some allocators abort at such sizes.
        guard pixels < 1 << 38, let memory = PixelMemory.allocate(pixels * 4, cleared: cleared)
        else {
            throw ImagingError.outOfMemory(bytes: pixels * 4)
        }
        return memory
    }

    /// Whether every alpha of these pixels is 255.
    static func isOpaque(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // By whole pixels, which the compiler turns into vectors; in parts, so that it ends early.
        bytes.withMemoryRebound(to: UInt32.self) { pixels in
            var start = 0
            while start < pixels.count {
                let end = min(start + 4096, pixels.count)
                var all = UInt32.max
                for index in start..<end { all &= pixels[index] }
                // The last byte of a pixel in memory.
                if all.littleEndian >> 24 != 255 { return false }
                start = end
            }
            return true
        }
    }
}
