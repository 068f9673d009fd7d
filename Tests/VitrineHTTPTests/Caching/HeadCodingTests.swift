import DeterminismSupport
import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct HeadCodingTests {
    private func sample() throws -> StoredResponse.Head {
        try head(
            404,
            fields("Vary: A, Cookie", "Empty:", "X: ä, \u{1F600}", "x: again", "Set-Cookie: a=b"),
            for: fields("A: 1", "Cookie: secret"), at: 1_767_225_600.25)
    }

    @Test("C12: a head is read as it was written") func roundTrip() throws {
        let head = try sample()
        let read = try #require(StoredResponse.Head(encoded: head.encoded))
        #expect(read == head && read.encoded == head.encoded && read.variant == head.variant)
        #expect(read.headers.map(\.name) == head.headers.map(\.name))
    }

    @Test("C5: an expiry and the URL behind a name are read as they were written") func terms()
        throws
    {
        for (expiresAt, url) in [
            (nil, nil), (.infinity, "http://a.test/?q=1"), (-.infinity, nil), (0, "x"), (1.5, nil),
        ] as [(Double?, String?)] {
            var head = try sample()
            head.expiresAt = expiresAt
            head.url = url
            let read = try #require(StoredResponse.Head(encoded: head.encoded))
            #expect(read == head && read.encoded == head.encoded)
        }
    }

    @Test("C12: every shortened head, and every one of another version, is none") func damaged()
        throws
    {
        let bytes = try sample().encoded
        for count in 0..<bytes.count {
            #expect(StoredResponse.Head(encoded: bytes.prefix(count)) == nil)
        }
        #expect(StoredResponse.Head(encoded: bytes + [0]) == nil)
        var other = bytes
        other[3] = 2
        #expect(StoredResponse.Head(encoded: other) == nil)
        #expect(StoredResponse.Head(encoded: Data("{\"status\":200}".utf8)) == nil)
    }

    @Test("C12: no flipped byte or random bytes trap, nor reserve memory") func nonsense() throws {
        let bytes = try sample().encoded
        var random = SeededRandom(seed: 9)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            if let head = StoredResponse.Head(encoded: damaged) {
                #expect(head.encoded == damaged && (200..<600).contains(head.status))
            }
        }
        for _ in 0..<500 {
            let tail = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(StoredResponse.Head(encoded: Data("VHR\u{2}".utf8) + tail) == nil)
        }
    }
}
