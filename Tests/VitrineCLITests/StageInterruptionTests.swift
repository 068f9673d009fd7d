import Foundation
import Glibc
import OriginSupport
import PixelSupport
import Testing

/// Ctrl-C in each stage of a load: a line says what has arrived, and the program is gone, whatever
/// does not listen.
@Suite(.timeLimit(.minutes(2))) struct StageInterruptionTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
    }

    /// Runs `vitrine get` with these words and interrupts it when it has run for `time`.
    private func interrupt(
        _ words: String, _ variables: String = "", after time: String = "1.5"
    ) throws -> Shell.Answer {
        let clock = ContinuousClock()
        let start = clock.now
        // A shell has its background jobs ignore the signal.
        let answer = try shell.line(
            """
            \(variables) env --default-signal=INT $vitrine get \(words) -o out & p=$!
            sleep \(time); kill -INT $p; wait $p; echo $?
            """)
        // Each of them would last 30 seconds or more.
        #expect(clock.now - start < .seconds(20))
        return answer
    }

    private func expectClean(
        _ answer: Shell.Answer, _ line: String = "Interrupted: 0 of 1 arrived, "
    ) {
        #expect(answer.output == "130\n")
        #expect(answer.errors.hasPrefix(line), "\(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1)
        #expect(shell.files("out").isEmpty)
    }

    @Test("P1, promise 6: while a name is looked up") func names() throws {
        defer { origin.stop() }
        let library = try slowResolver()
        let answer = try interrupt("http://hangs.test/a.png", "LD_PRELOAD=\(library)")
        expectClean(answer)
        let works = try shell.line(
            "LD_PRELOAD=\(library) $vitrine get http://missing.test/a.png -o out")
        #expect(works.errors.contains("missing.test"), "the library is loaded")
    }

    @Test("P1: while the head of an answer does not come") func heads() throws {
        defer { origin.stop() }
        origin.route("/never", .never)
        expectClean(try interrupt(origin.address("/never")))
        #expect(origin.requestCount == 1)
    }

    @Test("P1: while a picture is decoded") func decoding() throws {
        defer { origin.stop() }
        try bitmap(width: 6000, height: 6000).write(
            to: URL(fileURLWithPath: shell.folder + "/big.bmp"))
        expectClean(try interrupt("big.bmp --blur 300", after: "0.7"))
    }

    @Test("P1: while a picture is encoded, which nothing stops") func encoding() throws {
        defer { origin.stop() }
        try bitmap(width: 2000, height: 1500).write(
            to: URL(fileURLWithPath: shell.folder + "/big.bmp"))
        expectClean(try interrupt("big.bmp --format avif --effort 9", after: "2"))
    }

    @Test("P1: while another program holds the cache") func disk() throws {
        defer { origin.stop() }
        origin.routeOthers(
            .bytes([UInt8](try Fixture.data("scene.png")), headers: ["Cache-Control: max-age=600"]))
        #expect(try shell.run("get", origin.address("/a.png"), "-q", "-o", "first").status == 0)
        // SQLite's write lock of a journal (walFormat, section "WAL locks"): byte 120 of its index.
        let path = shell.folder + "/cache/vitrine/vitrine/index.sqlite-shm"
        let file = open(path, O_RDWR)
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (120, 1)
        try #require(fcntl(file, F_SETLK, &lock) == 0)
        expectClean(try interrupt(origin.address("/b.png")))
    }

    @Test("P1: while the list does not go on, of which nobody knows how long it is") func list()
        throws
    {
        defer { origin.stop() }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let url = origin.address("/a.png")
        let answer = try shell.line(
            """
            mkfifo list; { echo \(url); exec sleep 60; } >list & s=$!
            env --default-signal=INT $vitrine get --from list -o out & p=$!
            sleep 1.5; kill -INT $p; wait $p; echo $?; kill $s
            """)
        #expect(answer.output.hasSuffix("\n130\n"))
        #expect(answer.errors.hasPrefix("Interrupted: 1 of 1+ arrived (1 network), "))
        #expect(shell.files("out") == ["a.png"])
    }

    // MARK: What lasts

    /// A Windows bitmap of noise, 24 bits a pixel; a width that is divisible by 4.
    private func bitmap(width: Int, height: Int) -> Data {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let size = width * height * 3
        var data = Data("BM".utf8)
        data += bytes(54 + size, 4) + bytes(0, 4) + bytes(54, 4)
        data += bytes(40, 4) + bytes(width, 4) + bytes(height, 4) + bytes(1, 2) + bytes(24, 2)
        data += bytes(0, 4) + bytes(size, 4) + bytes(2835, 4) + bytes(2835, 4) + bytes(0, 8)
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var state: UInt32 = 1
        for index in piece.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            piece[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
        while data.count < 54 + size {
            data.append(contentsOf: piece.prefix(54 + size - data.count))
        }
        return data
    }

    /// The library that answers for "hangs.test" after half a minute, built by the compiler that
    /// belongs to the Swift library of this process.
    private func slowResolver() throws -> String {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Support/SlowResolver")
        let library = shell.folder + "/slow.so"
        let answer = try shell.line(
            #"""
            tools=$(sed -n 's|[^/]*\(/.*\)/lib/swift/linux/libswiftCore[.]so$|\1|p' /proc/$PPID/maps |
                head -n 1)
            "$tools/bin/clang" -shared -fPIC -I '\#(source.path)/include' -o \#(library) \
                '\#(source.path)/slow_resolver.c'
            """#)
        try #require(answer.status == 0, "\(answer.errors)")
        return library
    }
}
