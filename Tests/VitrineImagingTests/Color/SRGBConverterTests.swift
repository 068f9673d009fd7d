import Testing

@testable import VitrineImaging

@Suite struct SRGBConverterTests {
    /// One pixel of 16-bit numbers through the converter.
    private static func converted(
        _ points: ColorCodePoints, _ red: UInt16, _ green: UInt16, _ blue: UInt16
    ) -> [UInt8]? {
        guard let converter = SRGBConverter(points) else { return nil }
        var words: [UInt32] = [0]
        [red, green, blue, 65_535].withUnsafeBufferPointer { source in
            words.withUnsafeMutableBufferPointer { converter.convert(source, into: $0) }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: words[0] >> (8 * $0)) }
    }

    @Test("D6: what is sRGB already is left alone")
    func identity() {
        for transfer in [1, 2, 6, 13, 14, 15, 0, 255] {
            for primaries in [1, 2, 0, 3, 255] {
                let points = ColorCodePoints(primaries: primaries, transfer: transfer)
                #expect(SRGBConverter(points) == nil)
            }
        }
    }

    @Test("D6: black, white and greys stay neutral in every space")
    func neutral() throws {
        for primaries in [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22] {
            for transfer in [4, 5, 8, 13, 16, 17, 18] where primaries != 1 || transfer != 13 {
                let points = ColorCodePoints(primaries: primaries, transfer: transfer)
                #expect(try #require(Self.converted(points, 0, 0, 0)) == [0, 0, 0, 255])
                for level: UInt16 in [9_000, 30_000, 48_000, 65_535] {
                    let grey = try #require(Self.converted(points, level, level, level))
                    #expect(grey[3] == 255)
                    let (least, most) = (grey[..<3].min() ?? 0, grey[..<3].max() ?? 255)
                    #expect(most - least <= 1, "\(points) \(grey)")
                }
                #expect(
                    try #require(Self.converted(points, 65_535, 65_535, 65_535))
                        == [255, 255, 255, 255], "\(points)")
            }
        }
    }

    @Test("D6: matrices are those of the standards") func matrices() throws {
        let wide = try #require(ChromaticPrimaries.of(codePoint: 9)).toSRGB
        // Recommendation ITU-R BT.2407-0, annex 1.
        let expected: [SIMD3<Double>] = [
            [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187],
        ]
        for (row, numbers) in zip([wide.rows.0, wide.rows.1, wide.rows.2], expected) {
            for index in 0..<3 { #expect(abs(row[index] - numbers[index]) < 1e-4) }
        }
        let luminance = try #require(ChromaticPrimaries.of(codePoint: 9)).toXYZ.rows.1
        for (found, share) in zip(
            [luminance.x, luminance.y, luminance.z], [0.2627, 0.6780, 0.0593])
        {
            #expect(abs(found - share) < 1e-4)
        }
    }

    @Test("D9: curves hit the values that the standards print") func curves() {
        // BT.2408-7, table 1: 203 candela per square metre are 58 % of PQ and 75 % of HLG.
        #expect(abs(PQ.value(0.0203) - 0.58) < 0.005)
        #expect(abs(PQ.light(PQ.value(0.3)) - 0.3) < 1e-9)
        #expect(PQ.value(0) < 1e-6 && PQ.value(1) == 1 && PQ.light(0) == 0)
        let hlg = TransferFunction.hybridLogGamma
        #expect(abs(hlg.light(0.5) - 1.0 / 12) < 1e-9)
        #expect(abs(hlg.light(1) - 1) < 1e-6)
    }

    @Test("D9: compression leaves shadows, rises, and ends at white") func compression() {
        #expect(ToneCompression.shown(50) == 50)
        #expect(abs(ToneCompression.shown(1000) - 203) < 0.01)
        #expect(abs(ToneCompression.shown(10_000) - 203) < 0.01)
        var last = -1.0
        for light in stride(from: 0.0, through: 1000, by: 5) {
            let shown = ToneCompression.shown(light)
            #expect(shown > last && shown <= light + 1e-9)
            last = shown
        }
    }

    @Test("D6: 8 bits in place are as 16 bits") func inPlace() throws {
        let points = ColorCodePoints(primaries: 9, transfer: 1)
        let converter = try #require(SRGBConverter(points))
        for color: [UInt8] in [[200, 100, 50], [1, 2, 3], [255, 0, 128], [90, 91, 92]] {
            var words = [
                UInt32(color[0]) | UInt32(color[1]) << 8 | UInt32(color[2]) << 16 | 77 << 24
            ]
            words.withUnsafeMutableBufferPointer { converter.convert($0) }
            let wide = Self.converted(
                points, UInt16(color[0]) * 257, UInt16(color[1]) * 257, UInt16(color[2]) * 257)
            #expect(
                (0..<3).map { UInt8(truncatingIfNeeded: words[0] >> (8 * $0)) }
                    == wide.map { Array($0[..<3]) })
            #expect(words[0] >> 24 == 77)
        }
    }
}
