import FoundationEssentials
import Glibc
import VitrineStorage

/// Uses a store until it is killed, or says what went wrong and ends.
///
///     store-crasher FOLDER BOUND SEED                   writes and reads without end
///     store-crasher FOLDER BOUND SEED KEYS SECONDS      the same under keys of its own, telling of it
///     store-crasher FOLDER BOUND spool BYTES            stores one body from a file, and how much
///                                                       memory that took
@main
struct StoreCrasher {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let bound = Int(arguments[2]) else { return }
        let store = DiskStore(DiskStore.Configuration(directory: arguments[1], maximumBytes: bound))
        if arguments[3] == "spool", arguments.count == 5, let bytes = Int(arguments[4]) {
            return try await Spooling(store: store, bytes: bytes).run()
        }
        guard let seed = UInt64(arguments[3]) else { return }
        let work = Work(
            store: store, seed: seed, keys: arguments.count > 4 ? arguments[4] : nil)
        // Even if its killer was killed.
        alarm(arguments.count > 5 ? UInt32(arguments[5]) ?? 60 : 60)
        do {
            try await work.run()
        } catch {
            print("failed: \(error)")
            fflush(nil)
        }
    }
}
