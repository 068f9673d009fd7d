import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four or sixteen bytes, in network order.
    public let bytes: [UInt8]

    /// An address of four or sixteen bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// An address from its usual text, for example `192.0.2.1` or `2001:db8::1`; nil if it is none.
    public init?(_ text: String) {
        var v4 = [UInt8](repeating: 0, count: 4)
        var v6 = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = v4
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = v6
        } else {
            return nil
        }
    }

    /// The address as text, without brackets.
    public var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the address is one of the public internet.
    ///
    /// False for what the IANA registries of special-purpose addresses (RFC 6890) set apart:
    /// loopback, private (RFC 1918), shared (RFC 6598), link-local, unique-local (RFC 4193),
    /// multicast, documentation, benchmarking and reserved blocks. IPv4 addresses inside IPv6 ones
    /// (mapped, 6to4, NAT64) are judged by the IPv4 address; Teredo and IPv4-compatible addresses are
    /// never public.
    public var isPublic: Bool {
        bytes.count == 4 ? Self.isPublic(v4: bytes) : Self.isPublic(v6: bytes)
    }

    private static func isPublic(v4 bytes: [UInt8]) -> Bool {
        !specialV4.contains { matches(bytes, $0.prefix, bits: $0.bits) }
    }

    private static func isPublic(v6 bytes: [UInt8]) -> Bool {
        if matches(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96)
            || matches(bytes, [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96)
        {
            return isPublic(v4: Array(bytes[12...]))
        }
        if matches(bytes, [0x20, 0x02], bits: 16) { return isPublic(v4: Array(bytes[2..<6])) }
        return matches(bytes, [0x20], bits: 3)
            && !specialV6.contains { matches(bytes, $0.prefix, bits: $0.bits) }
    }

    private static let specialV4: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
        ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// Inside 2000::/3, outside of which nothing is public.
    private static let specialV6: [(prefix: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo and ORCHID among them
        ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),  // documentation
    ]

    private static func matches(_ bytes: [UInt8], _ prefix: [UInt8], bits: Int) -> Bool {
        for (index, expected) in prefix.enumerated() {
            let left = bits - index * 8
            let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(max(left, 0)))
            guard bytes[index] & mask == expected & mask else { return false }
        }
        return true
    }
}
