import CVips
import Glibc

/// The last step: pixels in the memory of a ``PixelBuffer``.
extension VipsPipeline {
    /// Makes all pixels now, as straight RGBA in sRGB, into `memory`, which has their exact size.
    ///
    /// Opaque pixels are rendered as RGB into the last three quarters, and moved from there: libvips would
    /// take several times as long to join the fourth channel. `converter` brings their colours to sRGB if
    /// code points tell what they are; else a profile does, if it counts.
    func renderRGBA(
        into memory: UnsafeMutableRawBufferPointer, converter: SRGBConverter?,
        profileCounts: Bool
    ) throws(VipsFailure) {
        if let converter { return try renderWide(into: memory, converter) }
        guard profileCounts || !hasProfile else {
            return try withoutProfile().renderRGBA(
                into: memory, converter: nil, profileCounts: true)
        }
        if bands == 4, interpretation == VIPS_INTERPRETATION_sRGB, format == VIPS_FORMAT_UCHAR,
            !hasProfile
        {
            return try render(into: memory)
        }
        guard !hasAlpha else { return try asRGBA().render(into: memory) }
        let count = memory.count / 4
        try asRGB().render(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
        Self.addAlpha(in: memory)
    }

    /// By way of 16 bits a sample, which HDR needs.
    private func renderWide(
        into memory: UnsafeMutableRawBufferPointer, _ converter: SRGBConverter
    ) throws(VipsFailure) {
        let count = memory.count * 2
        guard let start = malloc(count) else { throw VipsFailure("out of memory") }
        defer { free(start) }
        let wide = UnsafeMutableRawBufferPointer(start: start, count: count)
        try asWideRGBA().render(into: wide)
        converter.convert(
            UnsafeBufferPointer(wide.bindMemory(to: UInt16.self)),
            into: memory.bindMemory(to: UInt32.self))
    }

    /// Makes RGBA of RGB, which stands in the last three quarters of the same memory. What is written
    /// never reaches what is still to be read.
    private static func addAlpha(in memory: UnsafeMutableRawBufferPointer) {
        let count = memory.count / 4
        guard count > 0 else { return }
        for index in 0..<count - 1 {
            let pixel = memory.loadUnaligned(fromByteOffset: count &+ index &* 3, as: UInt32.self)
            let word = UInt32(littleEndian: pixel) | 0xFF00_0000
            memory.storeBytes(of: word.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
        }
        // Behind the last pixel there is no fourth byte to load; it is where it belongs already.
        memory[memory.count - 4] = memory[memory.count - 3]
        memory[memory.count - 3] = memory[memory.count - 2]
        memory[memory.count - 2] = memory[memory.count - 1]
        memory[memory.count - 1] = 255
    }
}
