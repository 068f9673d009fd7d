/// XXH64, a fast 64-bit checksum (the xxHash specification, version 0.1.1).
///
/// It finds flipped bits and torn writes; it does not stand against an attacker.
package struct Checksum: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private typealias Stripe = (UInt64, UInt64, UInt64, UInt64)

    private var lanes: Stripe
    /// The bytes that do not yet fill a stripe, and how many they are; no array, so that a sum over a
    /// few bytes allocates nothing.
    private var pending: Stripe = (0, 0, 0, 0)
    private var pendingCount = 0
    private var total: UInt64 = 0
    private let seed: UInt64

    package init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = (
            seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1
        )
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
        var rest = bytes
        if pendingCount > 0 {
            let taken = min(32 - pendingCount, rest.count)
            keep(UnsafeRawBufferPointer(rebasing: rest[..<taken]))
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            guard pendingCount == 32 else { return }
            let stripe = pending
            withUnsafeBytes(of: stripe) { consume($0) }
            pendingCount = 0
        }
        let whole = rest.count & ~31
        consume(UnsafeRawBufferPointer(rebasing: rest[..<whole]))
        keep(UnsafeRawBufferPointer(rebasing: rest[whole...]))
    }

    /// Adds fewer bytes than fill a stripe to those that wait.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        let start = pendingCount
        withUnsafeMutableBytes(of: &pending) { pending in
            UnsafeMutableRawBufferPointer(rebasing: pending[start...]).copyMemory(from: bytes)
        }
        pendingCount += bytes.count
    }

    /// The checksum of all bytes so far.
    package var value: UInt64 {
        var hash: UInt64
        if total >= 32 {
            hash =
                Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
                &+ Self.rotate(lanes.3, 18)
            hash = Self.merge(hash, lanes.0)
            hash = Self.merge(hash, lanes.1)
            hash = Self.merge(hash, lanes.2)
            hash = Self.merge(hash, lanes.3)
        } else {
            hash = seed &+ Self.prime5
        }
        hash &+= total
        withUnsafeBytes(of: pending) { pending in
            let rest = UnsafeRawBufferPointer(rebasing: pending[..<pendingCount])
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

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
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
