import Foundation
import Testing

@testable import VitrineImaging

/// Where pixels lie, and when it is given back.
@Suite(.serialized) struct PixelMemoryTests {
    private static let size = PixelSize(width: 256, height: 256)

    private static func picture(_ value: UInt8 = 255) throws -> PixelBuffer {
        try PixelBuffer(unclearedSize: size, isOpaque: nil) {
            $0.initializeMemory(as: UInt8.self, repeating: value)
        }
    }

    /// Anonymous memory of this process that is resident, in bytes.
    private static func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
    }

    /// Sanitizers keep what is freed, and an account of it.
    private static let isPlain = !PixelMemory.isSanitized && dlsym(nil, "__tsan_init") == nil

    @Test(
        "C1: pictures that are gone leave the process, whatever stays between them",
        .enabled(if: isPlain))
    func leaves() throws {
        // After this, malloc would take such pieces from its heaps.
        free(malloc(4 << 20))
        let before = try Self.resident()
        var pictures = try (0..<400).map { _ in try Self.picture() }
        let full = try Self.resident()
        #expect(full - before > 90_000_000)
        pictures = pictures.enumerated().filter { $0.offset % 20 == 19 }.map(\.element)
        PixelBuffer.releaseKeptMemory()
        let after = try Self.resident()
        #expect(after - before < 30_000_000, "\(before), \(full), \(after)")
        #expect(pictures.allSatisfy { $0[255, 255]?.alpha == 255 })
    }

    @Test(
        "C2: what is kept for the next pictures goes when memory is short", .enabled(if: isPlain))
    func short() throws {
        // Those that are gone leave what can be kept.
        _ = try (0..<40).map { _ in try Self.picture() }
        let before = try Self.resident()
        PixelBuffer.releaseKeptMemory()
        let after = try Self.resident()
        #expect(before - after > PixelMemory.mostKept * 3 / 4, "\(before), \(after)")
    }

    @Test("C1: a buffer begins with nothing in it, whatever was there before")
    func cleared() throws {
        for _ in 0..<3 { _ = try Self.picture() }
        let empty = try PixelBuffer(size: Self.size, isOpaque: false) { _ in }
        #expect(empty.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
        // Smaller than what has pages of its own.
        let small = try PixelBuffer(size: PixelSize(width: 3, height: 1), isOpaque: false) { _ in }
        #expect(small.withUnsafeBytes { Array($0) } == [UInt8](repeating: 0, count: 12))
    }

    @Test("C1: what fails while it is filled keeps nothing", .enabled(if: isPlain))
    func failure() throws {
        struct Failure: Error {}
        let before = try Self.resident()
        for _ in 0..<1000 {
            #expect(throws: Failure.self) {
                try PixelBuffer(unclearedSize: Self.size, isOpaque: true) { bytes in
                    bytes.initializeMemory(as: UInt8.self, repeating: 1)
                    throw Failure()
                }
            }
        }
        #expect(try Self.resident() - before < 30_000_000)
    }

    @Test("C1: many at once get memory of their own") func threads() async throws {
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for value in 1...4 as ClosedRange<UInt8> {
                group.addTask {
                    var wrong = 0
                    for _ in 0..<200 {
                        let two = try [Self.picture(value), Self.picture(value + 100)]
                        for (picture, value) in zip(two, [value, value + 100]) {
                            let isWhole = picture.withUnsafeBytes { $0.allSatisfy { $0 == value } }
                            if !isWhole { wrong += 1 }
                        }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("C1: kept memory is bounded, of the size asked for, and the oldest goes first")
    func kept() throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { bytes.deallocate() }
        let start = try #require(bytes.baseAddress)
        func pages(_ place: Int, _ count: Int) -> KeptPages.Pages {
            KeptPages.Pages(start: start + place, count: count)
        }
        var kept = KeptPages(limit: 10)
        #expect(kept.take(4) == nil && kept.put(start, count: 11) == [pages(0, 11)])
        #expect(kept.put(start, count: 4).isEmpty && kept.put(start + 20, count: 4).isEmpty)
        #expect(kept.bytes == 8 && kept.take(3) == nil && kept.take(5) == nil)
        #expect(kept.take(4) == start + 20 && kept.bytes == 4)
        #expect(kept.put(start + 40, count: 6).isEmpty)
        #expect(kept.put(start + 60, count: 5) == [pages(0, 4), pages(40, 6)])
        #expect(kept.put(start + 80, count: 10) == [pages(60, 5)])
        #expect(kept.removeAll() == [pages(80, 10)] && kept.bytes == 0 && kept.take(10) == nil)
    }
}
