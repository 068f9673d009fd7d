import FoundationEssentials
import Glibc

/// Measures the caches beside what they stand on, by turns, in one process.
///
///     storage-speed memory
///     storage-speed disk FOLDER
///     storage-speed stores FOLDER
///     storage-speed inline FOLDER
///     storage-speed http FOLDER COUNT
///
/// Prints a line for each pair of turns: name, wall time of ours and of the peer, processor time of
/// ours and of the peer, in nanoseconds a call, by tabs. Without a peer its columns are 0.
@main
enum StorageSpeed {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "memory": try MemorySpeed().run()
        case "disk" where arguments.count == 2: try await DiskSpeed(folder: arguments[1]).run()
        case "stores" where arguments.count == 2:
            try await DiskSpeed(folder: arguments[1]).runStores()
        case "inline" where arguments.count == 2: try InlineSpeed(folder: arguments[1]).run()
        case "http" where arguments.count == 3:
            try await HTTPSpeed(folder: arguments[1], count: Int(arguments[2]) ?? 1).run()
        default: exit(2)
        }
    }
}
