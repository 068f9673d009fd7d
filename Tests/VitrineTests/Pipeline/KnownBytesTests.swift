import FoundationEssentials
import Testing
import VitrineBase
import VitrineHTTP

@testable import Vitrine

@Suite struct KnownBytesTests {
    /// Bytes that are noted after others, and how they stand to those.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first = KnownBytes.Stamp(checksum: 1, receivedAt: 100, askedAt: 10)
        let second: KnownBytes.Stamp
        var notedAt: UInt64 = 20
        let news: KnownBytes.News
    }

    private static func stamp(
        _ checksum: UInt64, _ receivedAt: Double?, _ askedAt: UInt64?
    ) -> KnownBytes.Stamp {
        KnownBytes.Stamp(checksum: checksum, receivedAt: receivedAt, askedAt: askedAt)
    }

    static let table = [
        Row(testDescription: "the same again", second: stamp(1, 90, nil), news: .nothing),
        Row(testDescription: "newer, stored", second: stamp(2, 101, nil), news: .change),
        Row(testDescription: "of the same moment", second: stamp(2, 100, 10), news: .change),
        Row(testDescription: "older, stored", second: stamp(2, 99, nil), news: .outdated),
        Row(
            testDescription: "older, on its way when the newer ones came",
            second: stamp(2, 99, 9), news: .outdated),
        Row(
            testDescription: "older by a clock that was set back, and asked for afterwards",
            second: stamp(2, 50, 21), news: .change),
        Row(testDescription: "of an unknown age", second: stamp(2, nil, nil), news: .change),
        Row(
            testDescription: "after some of an unknown age", first: stamp(1, nil, nil),
            second: stamp(2, 1, nil), news: .change),
    ]

    private func source() throws -> SourceIdentity {
        SourceIdentity(
            ImageRequest(try #require(URL(string: "https://a.example/p"))), .nobody)
    }

    @Test("promise 13: which bytes are the newer ones, as a table", arguments: table)
    func rows(row: Row) throws {
        let (known, source) = (KnownBytes(), try source())
        #expect(!known.areOutdated(row.second, of: source))
        #expect(known.note(row.first, of: source, at: row.notedAt) == .nothing)
        #expect(known.areOutdated(row.second, of: source) == (row.news == .outdated))
        #expect(known.note(row.second, of: source, at: row.notedAt + 1) == row.news)
        guard row.news == .outdated else { return }
        // It has not taken the place of the others.
        #expect(known.note(row.first, of: source, at: row.notedAt + 2) == .nothing)
    }

    @Test("promise 13: bytes that are confirmed are as new as that") func confirmed() throws {
        let (known, source) = (KnownBytes(), try source())
        let old = Self.stamp(2, 150, nil)
        #expect(known.note(Self.stamp(1, 100, 10), of: source, at: 20) == .nothing)
        #expect(known.note(Self.stamp(1, 200, 30), of: source, at: 40) == .nothing)
        #expect(known.note(Self.stamp(1, 100, nil), of: source, at: 50) == .nothing)
        #expect(known.areOutdated(old, of: source))
    }

    @Test("a request's identity is the same, worked out alone or with all of a load")
    func identities() throws {
        var plain = ImageRequest(try #require(URL(string: "https://a.example/p?q=1#top")))
        var full = plain
        full.headers = ["X-Api-Key": "k", "accept": "image/png", "Authorization": "t"]
        full.secretHeaders = ["x-api-key"]
        full.body = Data([1])
        full.key = "name"
        full.store = .none
        full.targetSize = .fit(width: 9, height: 9)
        full.scale = 2
        full.filters = [.circle, .invert()]
        var named = full
        named.partition = "ann"
        plain.method = "POST"
        var standing = Standing()
        standing.cookie = "a=1"
        standing.user = "ann"
        for request in [plain, full, named] {
            for standing in [Standing.nobody, standing] {
                let planned = PlannedLoad(request, limits: DecodeLimits(), standing: standing)
                let alone = ImageIdentity(request, standing)
                #expect(alone == planned.image && alone.hashValue == planned.image.hashValue)
            }
        }
    }
}
