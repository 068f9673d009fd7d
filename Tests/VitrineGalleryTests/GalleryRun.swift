import DisplaySupport
import Foundation
import Testing

/// The real program with a window on a display of this process, its keyboard and its title.
final class GalleryRun {
    /// How it ended.
    struct End {
        /// Its exit status; nil if a signal has ended it.
        var status: Int32?
        /// The signal; nil if it ended by itself.
        var signal: Int32?
        /// What it wrote to standard error.
        var errors: String
        var output: String
    }

    private let process = Process()
    private let folder: URL
    private var window = ""

    /// Starts the program in the folder, in which it has its cache.
    ///
    /// - Parameter hasDisplay: false takes the display away.
    @MainActor
    init(
        _ words: [String], in folder: URL, hasDisplay: Bool = true, scale: Int = 1,
        input: String = ""
    ) throws {
        try TestDisplay.open()
        self.folder = folder
        let own = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = own ?? URL(filePath: CommandLine.arguments[0])
        process.executableURL = tests.deletingLastPathComponent().appending(path: "vitrine-gallery")
        process.arguments = words
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in [
            "G_DEBUG": "fatal-criticals", "XDG_CACHE_HOME": folder.path + "/cache",
            "XDG_CONFIG_HOME": folder.path + "/config", "GTK_A11Y": "none", "HOME": folder.path,
        ] {
            environment[name] = value
        }
        environment["GDK_SCALE"] = "\(scale)"
        if !hasDisplay { environment["DISPLAY"] = ":none" }
        process.environment = environment
        try Data(input.utf8).write(to: folder.appending(path: ".stdin"))
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: ".stdin"))
        // Files, not pipes: a pipe that nobody empties would block the program.
        for name in [".stdout", ".stderr"] {
            _ = FileManager.default.createFile(
                atPath: folder.appending(path: name).path, contents: nil)
        }
        process.standardOutput = try FileHandle(forWritingTo: folder.appending(path: ".stdout"))
        process.standardError = try FileHandle(forWritingTo: folder.appending(path: ".stderr"))
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    // MARK: - The window

    /// Waits until the window has this title; returns the title that it has at last.
    func title(whenItIs title: String) async throws -> String {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        var found = ""
        while clock.now < end, process.isRunning {
            if window.isEmpty {
                let id = process.processIdentifier
                let all = try Self.xdotool("search", "--onlyvisible", "--pid", "\(id)")
                window = all.split(separator: "\n").last.map(String.init) ?? ""
            } else {
                found = try Self.xdotool("getwindowname", window)
                    .trimmingCharacters(in: .newlines)
                if found == title { return found }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return found
    }

    /// Presses keys one after the other, by their names in X; the window gets the keyboard first.
    func press(_ keys: String...) async throws {
        _ = try Self.xdotool("windowfocus", "--sync", window)
        for key in keys {
            _ = try Self.xdotool("key", key)
            // As quick as a person is who is quick.
            try await Task.sleep(for: .milliseconds(120))
        }
    }

    private static func xdotool(_ words: String...) throws -> String {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/xdotool")
        tool.arguments = words
        let output = Pipe()
        tool.standardOutput = output
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        tool.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: - The end

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end, a minute at most.
    func end() async throws -> End {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while process.isRunning, clock.now < end { try await Task.sleep(for: .milliseconds(20)) }
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            Issue.record("The gallery has not ended.")
        }
        process.waitUntilExit()
        let hasExited = process.terminationReason == .exit
        return End(
            status: hasExited ? process.terminationStatus : nil,
            signal: hasExited ? nil : process.terminationStatus,
            errors: try text(".stderr"), output: try text(".stdout"))
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
