import Glibc

/// MD5 (RFC 1321), for `Digest` only: there it is what most servers speak, and nothing else here
/// relies on it.
enum MD5 {
    /// The digest in lower-case hexadecimal.
    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var message = Array(bytes)
        let bitCount = UInt64(message.count) &* 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 0, to: 64, by: 8) {
            message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            mix(&state, message[start..<start + 64])
        }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for word in state {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                let byte = UInt8(truncatingIfNeeded: word >> shift)
                text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func mix(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        let bytes = Array(block)
        let words = stride(from: 0, to: 64, by: 4).map { index in
            bytes[index..<index + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for round in 0..<64 {
            let mixed: UInt32
            let place: Int
            switch round / 16 {
            case 0: (mixed, place) = ((b & c) | (~b & d), round)
            case 1: (mixed, place) = ((d & b) | (~d & c), (5 * round + 1) % 16)
            case 2: (mixed, place) = (b ^ c ^ d, (3 * round + 5) % 16)
            default: (mixed, place) = (c ^ (b | ~d), (7 * round) % 16)
            }
            let sum = a &+ mixed &+ sines[round] &+ words[place]
            let turn = turns[round / 16 * 4 + round % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
        }
        for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
    }

    private static let turns: [UInt32] = [
        7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
    ]

    /// The whole part of 2³² × |sin(n)| for n from 1 to 64.
    private static let sines: [UInt32] = (1...64).map {
        UInt32(abs(sin(Double($0))) * 4_294_967_296)
    }
}
