/// XXH64, a fast 64-bit checksum (the xxHash specification, version 0.1.1).
///
/// It finds flipped bits and torn writes; it does not stand against an attacker.
package struct Checksum: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    private var pending: [UInt8] = []
    private var total: UInt64 = 0
    private let seed: UInt64

    package init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = (
            seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1
        )
        pending.reserveCapacity(32)
    }

    /// The checksum of `bytes` alone.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var checksum = Checksum()
        checksum.update(bytes)
        return checksum.value
    }

    /// The checksum of `bytes` alone.
    package static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { of($0) }
    }

    /// Takes in the next bytes; how they are cut into calls does not matter.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        total &+= UInt64(bytes.count)
        var bytes = bytes[...]
        if !pending.isEmpty {
            let head = bytes.prefix(32 - pending.count)
            pending.append(contentsOf: head)
            bytes = bytes.dropFirst(head.count)
            guard pending.count == 32 else { return }
            let stripe = pending
            stripe.withUnsafeBytes { consume($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count & ~31
        consume(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
        pending.append(contentsOf: bytes.dropFirst(whole))
    }

    /// The checksum of all bytes so far.
    package var value: UInt64 {
        var hash: UInt64
        if total >= 32 {
            hash =
                Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
                &+ Self.rotate(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
            }
        } else {
            hash = seed &+ Self.prime5
        }
        hash &+= total
        pending.withUnsafeBytes { rest in
            var offset = 0
            while offset + 8 <= rest.count {
                let word = UInt64(
                    littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                hash = Self.rotate(hash ^ Self.round(0, word), 27) &* Self.prime1 &+ Self.prime4
                offset += 8
            }
            if offset + 4 <= rest.count {
                let word = UInt32(
                    littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                hash = Self.rotate(hash ^ (UInt64(word) &* Self.prime1), 23) &* Self.prime2
                hash = hash &+ Self.prime3
                offset += 4
            }
            for byte in rest[offset...] {
                hash = Self.rotate(hash ^ (UInt64(byte) &* Self.prime5), 11) &* Self.prime1
            }
        }
        hash = (hash ^ (hash >> 33)) &* Self.prime2
        hash = (hash ^ (hash >> 29)) &* Self.prime3
        return hash ^ (hash >> 32)
    }

    private mutating func consume(_ stripes: UnsafeRawBufferPointer) {
        var (a, b, c, d) = lanes
        var offset = 0
        func word(_ at: Int) -> UInt64 {
            UInt64(littleEndian: stripes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        }
        while offset + 32 <= stripes.count {
            a = Self.round(a, word(offset))
            b = Self.round(b, word(offset + 8))
            c = Self.round(c, word(offset + 16))
            d = Self.round(d, word(offset + 24))
            offset += 32
        }
        lanes = (a, b, c, d)
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value << bits) | (value >> (64 - bits))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }
}
