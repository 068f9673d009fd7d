import Testing
import VitrineBase

@Suite struct ChecksumTests {
    /// The reference implementation's answers for `0, 1, 2, …` modulo 251.
    @Test(arguments: [
        (0, 0xEF46_DB37_51D8_E999 as UInt64), (1, 0xE934_A84A_DB05_2768),
    ])
    func knownValues(count: Int, expected: UInt64) {
        #expect(Checksum.of((0..<count).map { UInt8($0 % 251) }) == expected)
    }

    @Test func knownValueOfText() {
        #expect(Checksum.of(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
        let long = "Nobody inspects the spammish repetition"
        #expect(Checksum.of(Array(long.utf8)) == 0xFBCE_A83C_8A37_8BF1)
    }

    @Test func cutsDoNotMatter() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = Checksum.of(bytes)
        for step in [1, 3, 7, 31, 32, 33, 64, 999] {
            var checksum = Checksum()
            for start in stride(from: 0, to: bytes.count, by: step) {
                Array(bytes[start..<min(start + step, bytes.count)])
                    .withUnsafeBytes { checksum.update($0) }
            }
            #expect(checksum.value == whole, "step \(step)")
        }
    }

    @Test func everyBitCounts() {
        var bytes = [UInt8](repeating: 0xA5, count: 100)
        let whole = Checksum.of(bytes)
        for index in bytes.indices {
            bytes[index] ^= 1
            #expect(Checksum.of(bytes) != whole)
            bytes[index] ^= 1
        }
    }
}
