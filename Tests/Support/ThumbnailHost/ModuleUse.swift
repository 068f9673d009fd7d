import FoundationEssentials
import Glibc
import VitrineImaging

/// What decoding brings into the process.
enum ModuleUse {
    /// Decodes the files in turn and prints of each its width, and which modules are there then. The word
    /// `avif` stands for a picture that is written as AVIF.
    static func oneByOne(_ paths: ArraySlice<String>) throws {
        for path in paths {
            let width = try path == "avif" ? encoded() : width(of: path)
            print(
                path.split(separator: "/").last.map(String.init) ?? "", width,
                modules.joined(separator: " "))
        }
        print("home", getenv("VIPSHOME").map { String(cString: $0) } ?? "none")
    }

    /// Decodes each file by four threads, all at once, and prints how many have succeeded.
    static func atOnce(_ paths: ArraySlice<String>) throws {
        final class Job: Sendable {
            let path: String
            init(_ path: String) { self.path = path }
        }
        let jobs = (0..<4).flatMap { _ in paths.map(Job.init) }
        let threads = jobs.map { job in
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { job in
                    guard let job else { return nil }
                    let path = Unmanaged<Job>.fromOpaque(job).takeRetainedValue().path
                    let isDone = (try? ModuleUse.width(of: path)) != nil
                    return isDone ? UnsafeMutableRawPointer(bitPattern: 1) : nil
                }, Unmanaged.passRetained(job).toOpaque())
            return thread
        }
        var succeeded = 0
        for thread in threads {
            var result: UnsafeMutableRawPointer?
            pthread_join(thread, &result)
            if result != nil { succeeded += 1 }
        }
        print(succeeded, "of", jobs.count)
    }

    private static func width(of path: String) throws -> Int {
        try RasterImage(decoding: Data(contentsOf: URL(filePath: path))).pixelSize.width
    }

    private static func encoded() throws -> Int {
        let size = PixelSize(width: 16, height: 16)
        let frame = try PixelBuffer(size: size, isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = 255 }
        }
        let image = RasterImage(frame)
        return try RasterImage(decoding: image.encoded(as: .avif)).pixelSize.width
    }

    /// The names of those that are mapped, and of large libraries that only they bring.
    private static var modules: [String] {
        // The system says that this file has no bytes.
        guard let file = fopen("/proc/self/maps", "r") else { return ["no maps"] }
        defer { fclose(file) }
        var found: Set<String> = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            let end = line.firstIndex(of: 0) ?? 0
            let text = String(decoding: line[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard
                let name = text.split(whereSeparator: \.isWhitespace).last?.split(separator: "/")
                    .last
            else { continue }
            let wanted = ["vips-", "libpoppler", "libMagick", "libopenslide"]
            if wanted.contains(where: name.hasPrefix) { found.insert(String(name)) }
        }
        return found.sorted()
    }
}
