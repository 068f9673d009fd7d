/// One of the blocks of an MCU: the tables that it needs, and where its samples go.
///
/// Its pointers belong to a ``JPEGReducer``.
final class JPEGBlock {
    /// How many samples it becomes.
    private let area: Int
    private let width: Int
    private let height: Int
    private let rows: UnsafeRawPointer
    private let dc: JPEGLookup
    private let ac: JPEGLookup
    private let prediction: UnsafeMutablePointer<Int32>
    /// Its samples in the first MCU of a row.
    private let samples: UnsafeMutablePointer<Float>
    /// How much further they are in the next MCU.
    private let step: Int

    init(
        _ basis: JPEGBasis, _ dc: JPEGLookup, _ ac: JPEGLookup,
        prediction: UnsafeMutablePointer<Int32>, samples: UnsafeMutablePointer<Float>, step: Int
    ) {
        area = basis.width * basis.height
        width = basis.width
        height = basis.height
        rows = UnsafeRawPointer(basis.rows)
        self.dc = dc
        self.ac = ac
        self.prediction = prediction
        self.samples = samples
        self.step = step
    }

    /// Reads the block of the MCU at `mcu`, and writes its samples into rows that are `stride` apart; false
    /// if a code is unknown or a coefficient behind the last place.
    @inline(__always)
    func decode(_ reader: inout JPEGBitReader, _ mcu: Int, _ stride: Int) -> Bool {
        let samples = samples + mcu &* step
        return switch area {
        case 1: mean(&reader, samples)
        case 2: sum(SIMD2<Float>.self, &reader, samples, stride)
        case 4: sum(SIMD4<Float>.self, &reader, samples, stride)
        case 8: sum(SIMD8<Float>.self, &reader, samples, stride)
        case 16: sum(SIMD16<Float>.self, &reader, samples, stride)
        case 32: sum(JPEGTwice<SIMD16<Float>>.self, &reader, samples, stride)
        default: sum(JPEGTwice<JPEGTwice<SIMD16<Float>>>.self, &reader, samples, stride)
        }
    }

    /// One sample is wanted, the mean of the block.
    @inline(never)
    private func mean(_ reader: inout JPEGBitReader, _ samples: UnsafeMutablePointer<Float>) -> Bool
    {
        var bits = reader
        defer { reader = bits }
        guard let level = level(&bits) else { return false }
        samples.pointee = level * rows.load(as: Float.self) + 128
        var place = 0
        while true {
            if bits.count < 32 { bits.fill() }
            let skip = ac.skips[bits.next(JPEGLookup.bits)]
            let next = place &+ skip.distance
            // A block that is full has no end mark: what follows is the next one.
            if next < 63 {
                bits.drop(skip.length)
                if skip.isEnd { return true }
                place = next
            } else {
                guard let entry = single(&bits) else { return false }
                if entry.isEnd { return true }
                place &+= entry.distance
                if place >= 63 { return place == 63 }
            }
        }
    }

    /// More samples are wanted; each coefficient adds to all of them.
    @inline(never)
    private func sum<Samples: JPEGSamples>(
        _ type: Samples.Type, _ reader: inout JPEGBitReader,
        _ samples: UnsafeMutablePointer<Float>, _ stride: Int
    ) -> Bool {
        var bits = reader
        defer { reader = bits }
        guard let level = level(&bits) else { return false }
        let rows = rows.assumingMemoryBound(to: Samples.self)
        var sum = Samples(repeating: 128)
        sum.add(rows[0], times: level)
        let pairs = ac.pairs
        var place = 0
        while true {
            if bits.count < 32 { bits.fill() }
            let pair = pairs[bits.next(JPEGLookup.bits)]
            let next = place &+ pair.distance
            if next < 63 {
                bits.drop(pair.length)
                // No place is beyond 62, and there are 80 rows.
                sum.add(rows[place &+ pair.firstDistance], times: Float(pair.first))
                sum.add(rows[next], times: Float(pair.second))
                if pair.isEnd { break }
                place = next
            } else {
                guard let entry = single(&bits) else { return false }
                if entry.isEnd { break }
                // At most 62 + 16.
                place &+= entry.distance
                sum.add(rows[place], times: Float(entry.value))
                guard place < 63 else {
                    guard place == 63 else { return false }
                    break
                }
            }
        }
        write(sum, to: samples, stride)
        return true
    }

    @inline(__always)
    private func write<Samples: JPEGSamples>(
        _ sum: Samples, to samples: UnsafeMutablePointer<Float>, _ stride: Int
    ) {
        withUnsafeBytes(of: sum) { bytes in
            for row in 0..<height {
                let to = UnsafeMutableRawPointer(samples + row &* stride)
                var from = row &* width &* 4
                if width == 1 {
                    to.storeBytes(
                        of: bytes.load(fromByteOffset: from, as: UInt32.self), as: UInt32.self)
                    continue
                }
                // Two at a time.
                for column in 0..<width / 2 {
                    to.storeBytes(
                        of: bytes.load(fromByteOffset: from, as: UInt64.self),
                        toByteOffset: column &* 8, as: UInt64.self)
                    from &+= 8
                }
            }
        }
    }

    /// The DC coefficient (ITU-T T.81, F.2.2.1); nil if there is no such code or no such coefficient.
    @inline(__always)
    private func level(_ bits: inout JPEGBitReader) -> Float? {
        if bits.count < 32 { bits.fill() }
        var entry = dc.entries[bits.next(JPEGLookup.bits)]
        if !entry.isWhole {
            guard let whole = dc.complete(entry, UInt32(truncatingIfNeeded: bits.next(32))) else {
                return nil
            }
            entry = whole
        }
        bits.drop(entry.length)
        let value = prediction.pointee &+ entry.value
        guard value == Int32(Int16(truncatingIfNeeded: value)) else { return nil }
        prediction.pointee = value
        return Float(value)
    }

    /// The next AC coefficient, or the end of the block (F.2.2.2); nil if there is no such code.
    @inline(__always)
    private func single(_ bits: inout JPEGBitReader) -> JPEGLookup.Entry? {
        var entry = ac.entries[bits.next(JPEGLookup.bits)]
        if !entry.isWhole, !entry.isEnd {
            guard let whole = ac.complete(entry, UInt32(truncatingIfNeeded: bits.next(32))) else {
                return nil
            }
            entry = whole
        }
        bits.drop(entry.length)
        return entry
    }
}
