import Testing

@testable import VitrineHTTP

/// What is computed, against the standards' own examples.
@Suite struct DigestTests {
    private static func answer(_ line: String) -> DigestAnswer? {
        Challenge.all(in: [line]).first.flatMap { DigestAnswer($0) }
    }

    @Test(
        "MD5 of RFC 1321, appendix A.5, and of lengths around a block",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
            (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
            (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
        ])
    func md5(_ text: String, _ expected: String) {
        #expect(MD5.hex(text.utf8) == expected)
    }

    /// RFC 7616, section 3.9.1.
    @Test(
        "R9: the answers of RFC 7616",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(_ algorithm: String, _ response: String) throws {
        let line = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
            opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        let challenge = try #require(Self.answer(line))
        let header = challenge.header(
            Credential(user: "Mufasa", password: "Circle of Life"), method: "GET",
            target: "/dir/index.html", count: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(header.contains("response=\"\(response)\""))
        #expect(
            header.hasPrefix(
                "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
                    + "uri=\"/dir/index.html\", algorithm=\(algorithm), nonce=\"7ypf/"))
        #expect(header.contains("nc=00000001, cnonce=\"f2/wE4q7"))
        #expect(header.contains(", qop=auth, "))
        #expect(header.hasSuffix("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""))
    }

    @Test("R9: without qop the answer is that of RFC 2069")
    func withoutQop() throws {
        let line =
            "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
        let challenge = try #require(Self.answer(line))
        let header = challenge.header(
            Credential(user: "Mufasa", password: "Circle Of Life"), method: "GET",
            target: "/dir/index.html", count: 7, clientNonce: "0a4f113b")
        #expect(header.contains("response=\"670fd8c2df070c60b045671b8b24ff02\""))
        #expect(!header.contains("nc=") && !header.contains("qop="))
    }

    @Test("R9: names that are hashed, or beyond ASCII, and quotes")
    func names() throws {
        func header(_ more: String, _ user: String) throws -> String {
            let line = "Digest realm=\"a\\\"b\", nonce=\"n\", algorithm=SHA-256, qop=auth\(more)"
            let challenge = try #require(Self.answer(line))
            return challenge.header(
                Credential(user: user, password: "p"), method: "GET", target: "/", count: 255,
                clientNonce: "c")
        }
        #expect(try header("", "a\"b").contains("username=\"a\\\"b\", realm=\"a\\\"b\""))
        #expect(try header(", charset=UTF-8", "Jäs").contains("username*=UTF-8''J%C3%A4s,"))
        let hashed = try header(", userhash=true", "Jäs")
        #expect(hashed.contains("userhash=true") && !hashed.contains("Jäs"))
        #expect(try header("", "x").contains("nc=000000ff"))
    }

    @Test(
        "R9: challenges that cannot be answered",
        arguments: [
            "Digest realm=\"a\"", "Digest nonce=\"n\", algorithm=SHA-512-256",
            "Digest nonce=\"n\", qop=\"auth-int\"", "Basic realm=\"a\"", "Digest nonce=\"n",
        ])
    func refused(_ line: String) {
        #expect(Challenge.all(in: [line]).compactMap { DigestAnswer($0) }.isEmpty)
    }

    @Test(
        "R9: challenges are read however they are written",
        arguments: [
            ("Basic realm=\"x\"", [Challenge(scheme: "basic", parameters: ["realm": "x"])]),
            ("basic", [Challenge(scheme: "basic", parameters: [:])]),
            (
                "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
                [
                    Challenge(
                        scheme: "newauth",
                        parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                    Challenge(scheme: "basic", parameters: ["realm": "simple"]),
                ]
            ),
            (
                "Negotiate, NTLM, Basic Realm = x",
                [
                    Challenge(scheme: "negotiate", parameters: [:]),
                    Challenge(scheme: "ntlm", parameters: [:]),
                    Challenge(scheme: "basic", parameters: ["realm": "x"]),
                ]
            ),
            (
                "Negotiate a/b+c==, Basic realm=\"x\"",
                [
                    Challenge(scheme: "negotiate", parameters: [:]),
                    Challenge(scheme: "basic", parameters: ["realm": "x"]),
                ]
            ),
            (
                " , ,Basic realm=a, realm=b,",
                [Challenge(scheme: "basic", parameters: ["realm": "a"])]
            ),
            ("", []), ("\"", []), ("=", []),
        ])
    func challenges(_ line: String, _ expected: [Challenge]) {
        #expect(Challenge.all(in: [line]) == expected)
    }

    @Test func damagedChallengesDoNotTrap() {
        let line = Array(
            "Digest realm=\"a\\\"b\", nonce=\"n\", qop=\"auth\", opaque==, Basic x=\"é\"".utf8)
        for end in line.indices {
            for byte: UInt8 in [0x22, 0x2C, 0x3D, 0x5C, 0xFF, 0x20] {
                var damaged = line
                damaged[end] = byte
                _ = Challenge.all(in: [
                    String(decoding: damaged, as: UTF8.self),
                    String(decoding: damaged[..<end], as: UTF8.self),
                ])
            }
        }
    }
}
