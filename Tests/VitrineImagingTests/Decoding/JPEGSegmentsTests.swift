import Testing

@testable import VitrineImaging

@Suite struct JPEGSegmentsTests {
    /// Markers, lengths of what follows them, and where the walk ended.
    private static func walk(_ bytes: [UInt8]) -> (markers: [UInt8], sizes: [Int], offset: Int) {
        bytes.withUnsafeBytes { bytes in
            var segments = JPEGSegments(ByteReader(bytes))
            var found: (markers: [UInt8], sizes: [Int], offset: Int) = ([], [], 0)
            while let segment = segments.next() {
                found.markers.append(segment.marker)
                found.sizes.append(segment.body.count)
            }
            found.offset = segments.offset
            return found
        }
    }

    private static let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2]

    @Test("R4: segments of a JPEG, up to the first scan") func order() {
        let file =
            Self.head + [0xFF, 0xFF, 0xFF, 0xFE, 0, 2, 0xFF, 0x01, 0xFF, 0xDA, 0, 3, 9]
        let found = Self.walk(file + [0xFF, 0xE1, 0, 2, 0xFF, 0xD9])
        #expect(found.markers == [0xE0, 0xFE, 0x01, 0xDA])
        #expect(found.sizes == [2, 0, 0, 1])
        #expect(found.offset == file.count)
        #expect(Self.walk(Self.head + [0xFF, 0xD9, 0xFF, 0xFE, 0, 2]).markers == [0xE0, 0xD9])
    }

    @Test("promise 24: a segment that is not whole ends them") func bad() {
        for rest: [UInt8] in [
            [], [0xFF], [0xFF, 0xFF], [0xFF, 0xE1], [0xFF, 0xE1, 0], [0xFF, 0xE1, 0, 1],
            [0xFF, 0xE1, 0, 3], [0, 0xE1, 0, 2],
        ] {
            let found = Self.walk(Self.head + rest)
            #expect(found.markers == [0xE0] && found.offset == Self.head.count, "\(rest)")
        }
        for bytes: [UInt8] in [[], [0xFF], [0xFF, 0xD8]] { #expect(Self.walk(bytes).markers == []) }
    }
}
