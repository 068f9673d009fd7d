import Foundation
import Testing

/// The programs of this package that the tests start.
enum HostProgram {
    /// The lines that the program prints.
    static func run(_ program: String, _ arguments: [String]) throws -> [String] {
        let own = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = own ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let process = Process()
        process.executableURL =
            tests.deletingLastPathComponent().appendingPathComponent(program)
        process.arguments = arguments
        // As it is before anything has used libvips.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "VIPSHOME" }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
