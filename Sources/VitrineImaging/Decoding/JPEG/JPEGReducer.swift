/// Decodes a baseline JPEG straight to a half, a quarter or an eighth of its size.
///
/// The samples are those of libjpeg's scaled decoding before it rounds them, but that chrominance is made
/// as large as luminance from the coefficients, and not by repeating or mixing neighbours.
///
/// One row of MCUs is in memory at a time. The compressed data are read within their bounds, whatever
/// they say; anything that breaks the rules ends the decoding.
final class JPEGReducer {
    /// The data are not what the standard describes, so that decoders may differ about them.
    struct Irregular: Error {}

    /// The size of the result.
    let size: PixelSize
    /// 1 is luminance alone, 3 luminance and two chrominances.
    let planes: Int
    private let blocks: [JPEGBlock]
    /// Keeps alive what ``blocks`` point to.
    private let tables: [(basis: JPEGBasis, dc: JPEGLookup, ac: JPEGLookup)]
    private let memory: UnsafeMutablePointer<Float>
    /// The width of a row in memory.
    private let stride: Int
    /// Rows of the result in a row of MCUs.
    private let rows: Int
    private let mcus: (across: Int, down: Int)
    private let restartInterval: Int
    private var reader: JPEGBitReader
    private let predictions: UnsafeMutablePointer<Int32>

    /// Whether `header` describes what this can reduce by `shrink`, which is 2, 4 or 8.
    static func canReduce(_ header: JPEGHeader, by shrink: Int) -> Bool {
        guard [2, 4, 8].contains(shrink), header.comesByRows, header.isGreyOrYCbCr
        else { return false }
        guard header.components.count > 1, let luminance = header.components.first else {
            return true
        }
        let across = header.components.map(\.across).max() ?? 1
        let down = header.components.map(\.down).max() ?? 1
        // B.2.3: an MCU has at most 10 blocks.
        guard header.components.reduce(0, { $0 + $1.across * $1.down }) <= 10,
            luminance.across == across, luminance.down == down
        else { return false }
        return header.components.allSatisfy { component in
            let sides = [(across, component.across), (down, component.down)]
            return sides.allSatisfy { most, own in
                [1, 2, 4, 8].contains(8 / shrink * most / own) && most % own == 0
            }
        }
    }

    /// A decoder of the bytes that `header` came from, which must outlive it; nil if it cannot reduce
    /// them or a table is missing.
    init?(_ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, by shrink: Int) {
        guard Self.canReduce(header, by: shrink), let start = bytes.baseAddress else { return nil }
        var components = header.components
        if components.count == 1 { (components[0].across, components[0].down) = (1, 1) }  // A.2.2
        let across = components.map(\.across).max() ?? 1
        let down = components.map(\.down).max() ?? 1
        let side = 8 / shrink
        let whole = header.size
        mcus = (
            (whole.width + 8 * across - 1) / (8 * across),
            (whole.height + 8 * down - 1) / (8 * down)
        )
        size = PixelSize(
            width: (whole.width + shrink - 1) / shrink,
            height: (whole.height + shrink - 1) / shrink)
        planes = components.count
        stride = mcus.across * across * side
        rows = down * side
        restartInterval = header.restartInterval

        // Tables that components share are made once.
        var codes: [Int: JPEGLookup] = [:]
        func lookup(_ code: JPEGCode?, _ key: Int) -> JPEGLookup? {
            if let made = codes[key] { return made }
            guard let code else { return nil }
            let made = JPEGLookup(code, isDC: key < 4)
            codes[key] = made
            return made
        }
        var tables: [(basis: JPEGBasis, dc: JPEGLookup, ac: JPEGLookup)] = []
        for component in components {
            guard let quantization = header.quantization[component.quantization],
                let dc = lookup(header.dcCodes[component.dc], component.dc),
                let ac = lookup(header.acCodes[component.ac], component.ac + 4)
            else { return nil }
            let basis = JPEGBasis(
                width: side * across / component.across, height: side * down / component.down,
                quantization: quantization)
            tables.append((basis, dc, ac))
        }

        let plane = stride * rows
        memory = .allocate(capacity: plane * planes)
        memory.initialize(repeating: 0, count: plane * planes)
        predictions = .allocate(capacity: planes)
        predictions.initialize(repeating: 0, count: planes)
        var blocks: [JPEGBlock] = []
        for (index, component) in components.enumerated() {
            let (basis, dc, ac) = tables[index]
            for y in 0..<component.down {
                for x in 0..<component.across {
                    let offset =
                        index * plane + y * basis.height * stride + x * basis.width
                    blocks.append(
                        JPEGBlock(
                            basis, dc, ac, prediction: predictions + index,
                            samples: memory + offset, step: across * side))
                }
            }
        }
        self.tables = tables
        self.blocks = blocks
        reader = JPEGBitReader(
            start.assumingMemoryBound(to: UInt8.self), size: bytes.count, position: header.scan)
    }

    deinit {
        memory.deallocate()
        predictions.deallocate()
    }

    /// Decodes all rows, and gives them to `body` one after the other: the samples of each plane, of
    /// which the first ``size``.width count; 0…255 but for what quantization added or took.
    ///
    /// - Throws: ``Irregular`` as soon as the data are found to be that; what `body` got is void then.
    func forEachRow(_ body: (_ planes: [UnsafePointer<Float>]) throws -> Void) throws {
        var left = restartInterval
        var restarts: UInt8 = 0
        var rowsLeft = size.height
        for _ in 0..<mcus.down {
            var mcu = 0
            while mcu < mcus.across {
                if restartInterval > 0, left == 0 {
                    guard reader.endAtMarker() == 0xD0 | restarts & 7 else { throw Irregular() }
                    restarts &+= 1
                    left = restartInterval
                    predictions.update(repeating: 0, count: planes)
                }
                let end = restartInterval > 0 ? min(mcus.across, mcu + left) : mcus.across
                guard decode(mcu..<end), reader.isWithinData else { throw Irregular() }
                left -= end - mcu
                mcu = end
            }
            for row in 0..<min(rows, rowsLeft) {
                try body(
                    (0..<planes).map { UnsafePointer(memory + ($0 * rows + row) * stride) })
            }
            rowsLeft -= rows
        }
        guard reader.endAtMarker() == 0xD9 else { throw Irregular() }
    }

    /// Decodes some MCUs of a row; false if a code is unknown or a block too long.
    private func decode(_ range: Range<Int>) -> Bool {
        var reader = reader
        defer { self.reader = reader }
        return blocks.withUnsafeBufferPointer { blocks in
            for mcu in range {
                for block in blocks {
                    guard block.decode(&reader, mcu, stride) else { return false }
                }
            }
            return true
        }
    }
}
