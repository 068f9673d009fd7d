import DeterminismSupport
import Foundation
import Testing

@testable import VitrineImaging

/// What a shared library names as needed, of good files and bad ones.
@Suite struct ELFNeedsTests {
    /// The smallest library of Swift that runs this.
    private static func library() throws -> String {
        // The system says that it has no bytes.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let paths = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            .map(String.init).filter { $0.contains("/libswift") && $0.hasSuffix(".so") }
        let sizes = try Set(paths).map { path in
            (path, try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max)
        }
        return try #require(sizes.min { $0.1 < $1.1 }).0
    }

    /// What is found in a file of these bytes.
    private func names(_ bytes: Data) throws -> [String]? {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "vitrine-elf-\(UUID().uuidString)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return ELFNeeds.names(in: file.path)
    }

    @Test("R3: a library's needs are read from its file") func good() throws {
        let names = try #require(ELFNeeds.names(in: try Self.library()))
        #expect(names.contains("libc.so.6"))
        #expect(names.allSatisfy { $0.contains(".so") })
    }

    @Test("R3: what is no library, or not there, has none") func bad() throws {
        for path in ["/nowhere", "/", "/dev/null", "/etc/passwd", ""] {
            #expect(ELFNeeds.names(in: path) == nil)
        }
        for bytes in [Data(), Data([0x7F, 0x45, 0x4C, 0x46, 2, 1]), Data(count: 4096)] {
            #expect(try names(bytes) == nil)
        }
    }

    @Test("promise 24: a library that is cut short or damaged does no harm") func damaged() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: Self.library()))
        for count in [16, 63, 64, 65, 200, 1000, 2000] {
            #expect(try names(whole.prefix(count)) == nil)
        }
        // Damage where the headers are: sizes and places that mean nothing.
        var random = SeededRandom(seed: 5)
        var differs = 0
        let right = try names(whole)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 6..<600, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if try names(bytes) != right { differs += 1 }
        }
        #expect(differs > 0)
    }
}
