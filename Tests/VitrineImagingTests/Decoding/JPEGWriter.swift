import FoundationEssentials
import Glibc

/// Writes baseline JPEG files with any sampling factors, restart intervals and codes: what encoders
/// do not offer.
struct JPEGWriter {
    /// Which codes the symbols get: each is right, and each goes another way through a decoder.
    enum Codes: CaseIterable {
        /// 8 bits for almost all.
        case even
        /// As few bits as 2 for what is frequent, 16 for most.
        case steep
    }

    var width: Int
    var height: Int
    /// The sampling factors of one or three components.
    var sampling: [(across: Int, down: Int)]
    var restartInterval = 0
    var codes = Codes.even
    /// The quantization of every coefficient.
    var step = 4
    /// Segments to be put behind the first marker.
    var segments: [(marker: UInt8, body: [UInt8])] = []

    private struct Bits {
        var bytes: [UInt8] = []
        private var waiting: UInt32 = 0
        private var count = 0

        mutating func put(_ bits: Int, _ length: Int) {
            for place in stride(from: length - 1, through: 0, by: -1) {
                waiting = waiting << 1 | UInt32(bits >> place & 1)
                count += 1
                if count == 8 { flush() }
            }
        }

        /// Fills the last byte with ones.
        mutating func align() {
            while count > 0 { put(1, 1) }
        }

        private mutating func flush() {
            let byte = UInt8(waiting & 0xFF)
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
            (waiting, count) = (0, 0)
        }
    }

    /// The file whose component `index` has the sample `sample(index, x, y)`, 0…255, at each place of
    /// its own, smaller grid.
    func file(_ sample: (_ component: Int, _ x: Int, _ y: Int) -> Double) -> Data {
        var file: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ body: [UInt8]) {
            file += [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)]
            file += body
        }
        for (marker, body) in segments { segment(marker, body) }
        segment(0xDB, [0] + [UInt8](repeating: UInt8(step), count: 64))
        var frame = [8, UInt8(height >> 8), UInt8(height & 255)]
        frame += [UInt8(width >> 8), UInt8(width & 255), UInt8(sampling.count)]
        for (index, factors) in sampling.enumerated() {
            frame += [UInt8(index + 1), UInt8(factors.across << 4 | factors.down), 0]
        }
        segment(0xC0, frame)
        let table = symbols()
        for kind in [0x00, 0x10] as [UInt8] {
            // DC differences have at most 15 bits.
            let table = kind == 0 ? table.filter { $0.symbol < 12 } : table
            var counts = [UInt8](repeating: 0, count: 16)
            for entry in table { counts[entry.length - 1] += 1 }
            segment(0xC4, [kind] + counts + table.map(\.symbol))
        }
        if restartInterval > 0 {
            segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)])
        }
        var start = [UInt8(sampling.count)]
        for index in sampling.indices { start += [UInt8(index + 1), 0] }
        segment(0xDA, start + [0, 63, 0])
        file += scan(table, sample)
        return Data(file + [0xFF, 0xD9])
    }

    private func scan(
        _ table: [(symbol: UInt8, length: Int)], _ sample: (Int, Int, Int) -> Double
    ) -> [UInt8] {
        let codes = [Self.canonical(table.filter { $0.symbol < 12 }), Self.canonical(table)]
        let factors = sampling.count == 1 ? [(across: 1, down: 1)] : sampling
        let most = (
            across: factors.map(\.across).max() ?? 1, down: factors.map(\.down).max() ?? 1
        )
        var bits = Bits()
        var last = [Int](repeating: 0, count: factors.count)
        var count = 0
        var all: [UInt8] = []
        func put(_ kind: Int, _ symbol: Int) {
            guard let code = codes[kind][UInt8(symbol)] else { return }
            bits.put(code.code, code.length)
        }
        func put(value: Int, _ size: Int) {
            bits.put(value < 0 ? value + (1 << size) - 1 : value, size)
        }
        for top in stride(from: 0, to: height, by: 8 * most.down) {
            for left in stride(from: 0, to: width, by: 8 * most.across) {
                if restartInterval > 0, count > 0, count % restartInterval == 0 {
                    bits.align()
                    all += bits.bytes + [0xFF, 0xD0 | UInt8((count / restartInterval - 1) & 7)]
                    bits = Bits()
                    last = [Int](repeating: 0, count: factors.count)
                }
                count += 1
                for (index, factor) in factors.enumerated() {
                    for block in 0..<factor.across * factor.down {
                        let x = left * factor.across / most.across + block % factor.across * 8
                        let y = top * factor.down / most.down + block / factor.across * 8
                        let levels = coefficients { sample(index, x + $0, y + $1) }
                        let difference = levels[0] - last[index]
                        last[index] = levels[0]
                        let size = Self.size(difference)
                        put(0, size)
                        put(value: difference, size)
                        var run = 0
                        for level in levels.dropFirst() {
                            guard level != 0 else {
                                run += 1
                                continue
                            }
                            while run > 15 {
                                put(1, 0xF0)
                                run -= 16
                            }
                            let size = Self.size(level)
                            put(1, run << 4 | size)
                            put(value: level, size)
                            run = 0
                        }
                        if run > 0 { put(1, 0) }
                    }
                }
            }
        }
        bits.align()
        return all + bits.bytes
    }

    /// Bits of a number without its sign.
    private static func size(_ value: Int) -> Int {
        var size = 0
        while abs(value) >> size > 0 { size += 1 }
        return size
    }

    /// All symbols that can occur, and how long their codes are.
    private func symbols() -> [(symbol: UInt8, length: Int)] {
        var list: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xF0]
        for run in 1..<16 { for size in 1...10 { list.append(UInt8(run << 4 | size)) } }
        return list.enumerated().map { index, symbol in
            switch codes {
            case .even: (symbol, 8)
            case .steep: (symbol, index < 3 ? 2 : index < 5 ? 4 : index < 6 ? 13 : 16)
            }
        }
    }

    private static func canonical(
        _ table: [(symbol: UInt8, length: Int)]
    ) -> [UInt8: (code: Int, length: Int)] {
        var result: [UInt8: (code: Int, length: Int)] = [:]
        var code = 0
        var last = table.first?.length ?? 1
        for entry in table {
            code <<= entry.length - last
            last = entry.length
            result[entry.symbol] = (code, entry.length)
            code += 1
        }
        return result
    }

    /// The quantized coefficients of a block, in zigzag order.
    private func coefficients(_ sample: (_ x: Int, _ y: Int) -> Double) -> [Int] {
        var natural = [Double](repeating: 0, count: 64)
        let samples = (0..<64).map { sample($0 & 7, $0 >> 3) - 128 }
        for place in 0..<64 {
            let (u, v) = (place & 7, place >> 3)
            var sum = 0.0
            for index in 0..<64 {
                sum +=
                    samples[index] * Self.wave[(index & 7) * 8 + u]
                    * Self.wave[(index >> 3) * 8 + v]
            }
            natural[place] = sum
        }
        return Self.zigzag.map { Int((natural[$0] / Double(step)).rounded()) }
    }

    private static let wave: [Double] = (0..<64).map { place in
        let (x, u) = (Double(place >> 3), Double(place & 7))
        return cos((2 * x + 1) * u * .pi / 16) / 2 * (u == 0 ? 0.5.squareRoot() : 1)
    }

    private static let zigzag = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34,
        27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44,
        51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ]
}
