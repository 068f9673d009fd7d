import Glibc
import VitrineBase

/// Where pixels lie: pages of their own from ``leastPages`` bytes on, below that what `malloc` gives.
///
/// A picture that leaves a cache has to leave the process too. `malloc` keeps what is freed, up to 32 MB a
/// piece, in heaps that shrink from their end only: pictures of 256 × 256 that had come and gone by the
/// thousand made a process larger by half of those that were there. Pages go back at once, at a price:
/// they come cleared one by one, which takes 100 µs for 256 KB, ten times what a simple filter takes.
/// Asking for all at once halves that, and ``KeptPages`` spares it where filters follow one another.
///
/// Under AddressSanitizer, which sees past the end only of what `malloc` gives, all comes from there.
enum PixelMemory {
    /// Half of a picture of 256 × 256.
    static let leastPages = 128 << 10

    /// Most bytes that are kept for what comes next.
    static let mostKept = 8 << 20

    private static let kept = Lock(KeptPages(limit: mostKept))
    /// Whether this is a build of AddressSanitizer.
    static let isSanitized = dlsym(nil, "__asan_init") != nil

    /// So many bytes, at least 1, which hold anything unless they are to be zero; nil if there are none.
    static func allocate(_ count: Int, cleared: Bool) -> UnsafeMutableRawBufferPointer? {
        guard hasPages(count) else {
            let memory = cleared ? calloc(count, 1) : malloc(count)
            return memory.map { UnsafeMutableRawBufferPointer(start: $0, count: count) }
        }
        if let memory = kept.withLock({ $0.take(count) }) {
            if cleared { memset(memory, 0, count) }
            return UnsafeMutableRawBufferPointer(start: memory, count: count)
        }
        // Larger ones are written over a longer time, in which somebody may give up.
        let atOnce = count <= mostKept ? Int32(MAP_POPULATE) : 0
        let memory = mmap(
            nil, count, PROT_READ | PROT_WRITE,
            Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS) | atOnce, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    /// Takes back what ``allocate(_:cleared:)`` gave.
    static func release(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        guard hasPages(memory.count) else { return free(start) }
        unmap(kept.withLock { $0.put(start, count: memory.count) })
    }

    /// Gives the system what is kept for what comes next.
    static func releaseKept() { unmap(kept.withLock { $0.removeAll() }) }

    private static func hasPages(_ count: Int) -> Bool { count >= leastPages && !isSanitized }

    private static func unmap(_ pages: [KeptPages.Pages]) {
        for one in pages where munmap(one.start, one.count) != 0 {
            // A process may have so many mappings only, and a hole makes two of one; then the addresses
            // are lost, but not the memory.
            madvise(one.start, one.count, MADV_DONTNEED)
        }
    }
}

extension PixelBuffer {
    /// Gives the system the memory that is kept for the next pictures, 8 MB at most, for when memory
    /// is short.
    package static func releaseKeptMemory() { PixelMemory.releaseKept() }
}
