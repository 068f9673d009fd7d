/// The compression of GIF (GIF89a, appendix F): variable-length codes, least significant bit first.
///
/// Whatever a code stands for has just been written to the output, so that the dictionary needs no
/// strings of its own: an entry is the place and the length of its string there.
enum LZWDecoder {
    private static let mostCodes = 4096

    /// Most bytes that `count` bytes can become.
    static func bound(byteCount count: Int, minimumCodeSize: Int) -> Int {
        let codes = count * 8 / (minimumCodeSize + 1)
        // Each code's string is at most one longer than the longest before it.
        let (triangle, overflow) = codes.multipliedReportingOverflow(by: (codes + 1) / 2 + 1)
        let (product, tooMany) = codes.multipliedReportingOverflow(by: mostCodes)
        return min(overflow ? Int.max : triangle, tooMany ? Int.max : product)
    }

    /// Fills `output` from `input`. Returns how much of it: not all if the input ends too early or has
    /// a code that means nothing, or once `cancellation` says so.
    static func decode(
        _ input: UnsafeRawBufferPointer, minimumCodeSize: Int,
        into output: UnsafeMutableBufferPointer<UInt8>, _ cancellation: DecodeCancellation
    ) -> Int {
        guard (1...8).contains(minimumCodeSize) else { return 0 }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * mostCodes) { table in
            let starts = UnsafeMutableBufferPointer(rebasing: table[..<mostCodes])
            let lengths = UnsafeMutableBufferPointer(rebasing: table[mostCodes...])
            return decode(input, minimumCodeSize, into: output, starts, lengths, cancellation)
        }
    }

    private static func decode(
        _ input: UnsafeRawBufferPointer, _ minimumCodeSize: Int,
        into output: UnsafeMutableBufferPointer<UInt8>,
        _ starts: UnsafeMutableBufferPointer<UInt32>, _ lengths: UnsafeMutableBufferPointer<UInt32>,
        _ cancellation: DecodeCancellation
    ) -> Int {
        let clear = 1 << minimumCodeSize
        var next = clear + 2
        var width = minimumCodeSize + 1
        var bits: UInt32 = 0
        var bitCount = 0
        var position = 0  // in the input
        var written = 0
        var nextCheck = 0
        var previous = (start: 0, length: 0)
        while written < output.count {
            if written >= nextCheck {
                if cancellation.isCancelled { return written }
                nextCheck = written + 1 << 16
            }
            while bitCount < width {
                guard position < input.count else { return written }
                bits |= UInt32(input[position]) << UInt32(bitCount)
                position += 1
                bitCount += 8
            }
            let code = Int(bits & (1 << UInt32(width) - 1))
            bits >>= UInt32(width)
            bitCount -= width
            if code == clear {
                next = clear + 2
                width = minimumCodeSize + 1
                previous.length = 0
                continue
            }
            if code == clear + 1 { return written }  // the end, and pixels are missing
            if previous.length > 0, next < mostCodes {
                // The previous string and the first byte of this one, which follows it in the output.
                starts[next] = UInt32(truncatingIfNeeded: previous.start)
                lengths[next] = UInt32(truncatingIfNeeded: previous.length + 1)
                next += 1
                if next == 1 << width, width < 12 { width += 1 }
            }
            let start = written
            if code < clear {
                output[written] = UInt8(truncatingIfNeeded: code)
                written += 1
                previous = (start, 1)
            } else {
                guard code < next else { return written }
                var source = Int(starts[code])
                let end = min(output.count, written + Int(lengths[code]))
                // Forwards and byte by byte: the last one may be the first one just written.
                while written < end {
                    output[written] = output[source]
                    written += 1
                    source += 1
                }
                previous = (start, Int(lengths[code]))
            }
        }
        return written
    }
}
