import Foundation

/// `gtk-host`, a GTK program whose main thread runs GLib's loop, which that of a test cannot.
enum HostProgram {
    struct Outcome {
        /// What it printed.
        var lines: [String]
        /// Its exit status; nil if a signal has ended it.
        var status: Int32?
    }

    static let path: String = {
        let own = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = own ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appending(path: "gtk-host").path
    }()

    /// Runs a scenario to its end; it ends itself if it takes two minutes.
    static func run(_ words: String...) async throws -> Outcome {
        try await run(path, words)
    }

    /// Likewise with so many device pixels for each logical one.
    static func run(atScale scale: Int, _ words: String...) async throws -> Outcome {
        try await run(path, words, environment: ["GDK_SCALE": "\(scale)"])
    }

    /// Runs a scenario, with the display of this process, in a session of an assistive technology that
    /// takes these steps: see `Tests/Support/Accessibility/session.py`.
    static func run(_ scenario: String, accessibly steps: String...) async throws -> Outcome {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let session = folder.appending(path: "Support/Accessibility/session.py").path
        // Debian's Python, for which its packages are.
        return try await run(
            "/usr/bin/python3", [session, path, scenario, "--"] + steps,
            errors: FileHandle.nullDevice)
    }

    private static func run(
        _ program: String, _ arguments: [String], errors: FileHandle? = nil,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        if let errors { process.standardError = errors }
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["G_DEBUG": "fatal-criticals"], uniquingKeysWith: { $1 }
        ).merging(environment, uniquingKeysWith: { $1 })
        // Not a pipe: services of a session may keep that open when all else has ended.
        let output = FileManager.default.temporaryDirectory.appending(
            path: "vitrine-host-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = try String(contentsOf: output, encoding: .utf8)
        return Outcome(
            lines: text.split(separator: "\n").map(String.init),
            status: process.terminationReason == .exit ? process.terminationStatus : nil)
    }
}
