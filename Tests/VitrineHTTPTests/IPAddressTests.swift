import Testing

@testable import VitrineHTTP

@Suite struct IPAddressTests {
    @Test(
        "Promise 30: only addresses of the public internet are public",
        arguments: [
            ("1.1.1.1", true), ("93.184.216.34", true), ("172.32.0.1", true), ("100.128.0.1", true),
            ("0.0.0.0", false), ("10.1.2.3", false), ("100.64.0.1", false), ("127.0.0.1", false),
            ("127.255.255.255", false), ("169.254.169.254", false), ("172.16.0.1", false),
            ("172.31.255.255", false), ("192.0.0.8", false), ("192.0.2.1", false),
            ("192.168.1.1", false), ("198.18.0.1", false), ("198.19.255.255", false),
            ("198.51.100.1", false), ("203.0.113.1", false), ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700::1111", true), ("2a00:1450:4001::1", true),
            ("::", false), ("::1", false), ("fe80::1", false), ("fc00::1", false),
            ("fd12:3456::1", false), ("ff02::1", false), ("2001:db8::1", false),
            ("2001::1", false), ("3fff:fff::1", false), ("fec0::1", false),
            ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("::ffff:1.1.1.1", true),
            ("64:ff9b::127.0.0.1", false), ("64:ff9b::1.1.1.1", true), ("64:ff9b:1::1", false),
            ("2002:7f00:1::", false), ("2002:a00:1::", false), ("2002:101:101::", true),
            ("::127.0.0.1", false),
            // The edges of blocks, and what lies just outside of them.
            ("9.255.255.255", true), ("11.0.0.0", true), ("100.63.255.255", true),
            ("100.127.255.255", false), ("126.255.255.255", true), ("128.0.0.0", true),
            ("169.253.255.255", true), ("169.255.0.0", true), ("172.15.255.255", true),
            ("192.0.0.0", false), ("192.0.1.0", true), ("192.88.99.1", false),
            ("192.167.0.1", true),
            ("198.17.255.255", true), ("198.20.0.0", true), ("223.255.255.255", true),
            ("239.255.255.255", false), ("240.0.0.1", false), ("1.0.0.0", true),
            // Addresses of IPv4 inside of IPv6, in each way of writing them.
            ("::ffff:a9fe:a9fe", false), ("::ffff:100.64.0.1", false),
            ("::ffff:0:127.0.0.1", false),
            ("::ffff:224.0.0.1", false), ("::ffff:203.0.113.9", false),
            ("64:ff9b::c0a8:101", false), ("64:ff9b::169.254.169.254", false),
            ("64:ff9b::100.64.0.1", false), ("64:ff9b::198.51.100.1", false),
            ("2002:c0a8:101::1", false), ("2002:a9fe:a9fe::", false), ("2002:6440:1::", false),
            ("2002:e000:1::", false), ("::10.0.0.1", false), ("2001:0:0:1::", false),
            // Further blocks of IPv6.
            ("100::1", false), ("2001:2::1", false), ("2001:10::1", false), ("2001:20::1", false),
            ("2001:1ff:ffff::", false), ("2001:200::1", true), ("2001:db7:ffff::1", true),
            ("2001:db9::1", true), ("3ffe:ffff::1", true), ("3fff:0:1::1", false),
            ("3fff:1000::1", true), ("4000::1", false), ("5f00::1", false), ("1fff::1", false),
            ("fe00::1", false), ("feff::1", false), ("ff0e::1", false), ("fdff::1", false),
        ])
    func isPublic(_ text: String, _ expected: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == expected)
    }

    @Test func textAndBytes() {
        #expect(IPAddress("10.0.0.1")?.bytes == [10, 0, 0, 1])
        #expect(IPAddress("2001:DB8:0::1")?.description == "2001:db8::1")
        #expect(IPAddress("10.0.0") == nil)
        #expect(IPAddress("example.com") == nil)
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }
}
