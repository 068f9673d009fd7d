import Foundation
import Testing

/// The real program as a child process, in a folder of its own.
final class Shell {
    struct Answer {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "vitrine-cli-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Beside the test bundle, where the package manager builds it.
    private static let program: URL = {
        let own = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = own ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appendingPathComponent("vitrine")
    }()

    func run(_ words: String..., input: String = "") throws -> Answer {
        try run(words: words, input: input)
    }

    func run(words: [String], input: String = "") throws -> Answer {
        try run(Self.program, words, input)
    }

    /// Runs a line of the shell, in which `$vitrine` is the program; `a=b $vitrine` sets a variable.
    func line(_ text: String) throws -> Answer {
        let sh = URL(fileURLWithPath: "/bin/sh")
        return try run(sh, ["-c", "vitrine='\(Self.program.path)'; \(text)"], "")
    }

    private func run(_ program: URL, _ words: [String], _ input: String) throws -> Answer {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        // Nothing of the machine's, but how a sanitizer is to work.
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key.hasSuffix("SAN_OPTIONS") }
            .merging([
                "XDG_CACHE_HOME": folder + "/cache", "HOME": folder, "PATH": "/usr/bin:/bin",
            ]) { $1 }
        // Files, not pipes: a pipe that nobody empties would block the program.
        let (output, errors) = (folder + "/.stdout", folder + "/.stderr")
        for path in [output, errors] {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        try input.write(toFile: folder + "/.stdin", atomically: true, encoding: .utf8)
        process.standardInput = FileHandle(forReadingAtPath: folder + "/.stdin")
        try process.run()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus,
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8))
    }

    func data(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
    }

    /// The files in a folder, hidden ones too.
    func files(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + path)) ?? []).sorted()
    }
}
