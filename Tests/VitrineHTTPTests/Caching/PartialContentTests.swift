import DeterminismSupport
import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct PartialContentTests {
    private let now = 1_767_225_600.0

    @Test(
        "C11: ranges as requests ask for them (RFC 9110, section 14.1.2)",
        arguments: [
            ("bytes=0-4", .from(0, to: 4)), ("Bytes=5-", .from(5, to: nil)),
            ("bytes=-3", .suffix(3)), ("bytes=-0", .suffix(0)), ("bytes= 1-2 ", .from(1, to: 2)),
            ("bytes=4-0", nil), ("bytes=0-1,3-4", nil), ("bytes=-", nil), ("bytes=", nil),
            ("lines=0-4", nil), ("bytes=a-b", nil), ("bytes=0-4-5", nil), ("bytes=+1-2", nil),
            ("bytes=99999999999999999999-", nil), ("bytes=0-99999999999999999999", nil), ("", nil),
        ] as [(String, ByteRange?)])
    func ranges(value: String, expected: ByteRange?) {
        #expect(ByteRange(["Range": value]) == expected)
        if let expected { #expect(ByteRange(["Range": expected.text]) == expected) }
    }

    @Test(
        "C11: which bytes of ten a range names",
        arguments: [
            (.from(0, to: 4), 0..<5), (.from(5, to: nil), 5..<10), (.from(9, to: 100), 9..<10),
            (.from(0, to: .max), 0..<10), (.from(10, to: nil), nil), (.suffix(3), 7..<10),
            (.suffix(100), 0..<10), (.suffix(0), nil), (.suffix(.max), 0..<10),
        ] as [(ByteRange, Range<Int>?)])
    func bytes(range: ByteRange, expected: Range<Int>?) {
        #expect(range.bytes(of: 10) == expected)
        #expect(range.bytes(of: 0) == nil)
    }

    @Test(
        "C11: ranges as responses name them (RFC 9110, section 14.4)",
        arguments: [
            ("bytes 0-4/10", ContentRange(bytes: 0..<5, total: 10)),
            ("bytes 4-9/10", ContentRange(bytes: 4..<10, total: 10)),
            ("Bytes 4-9/*", ContentRange(bytes: 4..<10, total: nil)),
            ("bytes 4-9/9", nil), ("bytes 9-4/10", nil), ("bytes 4-9", nil), ("bytes */10", nil),
            ("bytes=4-9/10", nil), ("bytes 4-9/10/10", nil), ("bytes -4/10", nil), ("", nil),
            ("bytes 0-9223372036854775807/*", nil), ("bytes 0-99999999999999999999/*", nil),
        ] as [(String, ContentRange?)])
    func contentRanges(value: String, expected: ContentRange?) {
        #expect(ContentRange(["Content-Range": value]) == expected)
        if let expected { #expect(ContentRange(["Content-Range": expected.text]) == expected) }
    }

    @Test("C11: two lines of Content-Range are none") func twoRanges() {
        let headers = fields("Content-Range: bytes 0-4/10", "Content-Range: bytes 0-4/10")
        #expect(ContentRange(headers) == nil)
        #expect(ByteRange(fields("Range: bytes=0-1", "Range: bytes=0-1")) == nil)
    }

    @Test(
        "C11: what is missing around a part",
        arguments: [
            (0..<5, 10, "bytes=5-"), (0..<5, nil, "bytes=5-"), (5..<10, 10, "bytes=0-4"),
            (2..<5, 10, nil), (0..<10, 10, nil), (2..<5, nil, nil),
        ] as [(Range<Int>, Int?, String?)])
    func missing(bytes: Range<Int>, total: Int?, expected: String?) {
        let held = ContentRange(bytes: bytes, total: total)
        #expect(PartialContent.missing(around: held)?.text == expected)
    }

    @Test("C11: only a strong validator joins parts (RFC 9110, section 15.3.7.3)")
    func belongTogether() {
        func together(_ first: String, _ second: String) -> Bool {
            PartialContent.belongTogether(
                Validators(["ETag": first], receivedAt: now),
                Validators(["ETag": second], receivedAt: now))
        }
        #expect(together("\"1\"", "\"1\""))
        #expect(!together("\"1\"", "\"2\""))
        #expect(!together("W/\"1\"", "W/\"1\""))
        #expect(!together("", ""))
    }

    @Test("C11: parts that overlap or touch are joined, and no others") func join() throws {
        func part(_ bytes: Range<Int>, _ total: Int? = 10, _ text: String? = nil)
            -> (range: ContentRange, bytes: Data)
        {
            let all = Array("0123456789".utf8)
            return (
                ContentRange(bytes: bytes, total: total),
                Data(text.map { Array($0.utf8) } ?? Array(all[bytes]))
            )
        }
        #expect(PartialContent.join(part(0..<3), part(4..<6)) == nil, "a gap")
        #expect(PartialContent.join(part(4..<6), part(0..<3)) == nil)
        #expect(PartialContent.join(part(0..<3), part(3..<6, 11)) == nil, "another whole")
        #expect(PartialContent.join(part(0..<3, 10, "01"), part(3..<6)) == nil, "a byte is lacking")
        let joined = try #require(PartialContent.join(part(0..<3, nil), part(2..<6, 10, "XYZW")))
        #expect(joined.range == ContentRange(bytes: 0..<6, total: 10))
        #expect(text(joined.bytes) == "01XYZW")
    }

    @Test("C11: random parts of one text join to what the text has there, in any order")
    func randomParts() throws {
        var random = SeededRandom(seed: 206)
        let whole = Data((0..<64).map { UInt8($0) })
        for _ in 0..<200 {
            var held: (range: ContentRange, bytes: Data)?
            for _ in 0..<20 {
                let first = Int.random(in: 0..<64, using: &random)
                let last = Int.random(in: first..<min(64, first + 16), using: &random)
                let total = Bool.random(using: &random) ? 64 : nil
                let part = (
                    range: ContentRange(bytes: first..<last + 1, total: total),
                    bytes: Data(whole[first...last])
                )
                held = held.map { PartialContent.join($0, part) ?? part } ?? part
                guard let now = held else { continue }
                #expect(now.bytes == Data(whole[now.range.bytes]))
                let stored = StoredResponse(
                    head: try head(206, ["Content-Range": now.range.text]), body: now.bytes)
                let range = ByteRange.from(Int.random(in: 0..<64, using: &random), to: 40)
                guard PartialContent.covers(now.range, range) else { continue }
                let served = try #require(PartialContent.part(range, of: stored))
                #expect(served.bytes == Data(whole[served.range.bytes]))
            }
        }
    }

    @Test(
        "C11: which ranges lie within bytes 4 to 9 of ten, or of an unknown number",
        arguments: [
            (.from(4, to: 9), true, true), (.from(6, to: 8), true, true),
            (.from(3, to: 5), false, false), (.from(6, to: nil), true, false),
            (.from(6, to: 100), true, false), (.suffix(6), true, false),
            (.suffix(7), false, false), (.suffix(0), false, false),
            (.from(10, to: nil), false, false),
        ] as [(ByteRange, Bool, Bool)])
    func covers(range: ByteRange, known: Bool, unknown: Bool) {
        #expect(PartialContent.covers(ContentRange(bytes: 4..<10, total: 10), range) == known)
        #expect(PartialContent.covers(ContentRange(bytes: 4..<10, total: nil), range) == unknown)
    }

    @Test("C11: a part whose body is shorter than its range serves nothing") func lyingPart() throws
    {
        let stored = StoredResponse(
            head: try head(206, ["Content-Range": "bytes 0-9/10"]), body: Data("012".utf8))
        #expect(PartialContent.part(.from(5, to: 6), of: stored) == nil)
    }
}
