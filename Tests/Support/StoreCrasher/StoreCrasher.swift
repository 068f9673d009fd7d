import FoundationEssentials
import Glibc
import VitrineStorage

/// Writes to a store without end, until it is killed: `store-crasher FOLDER BOUND SEED`.
///
/// Prints a line once the first entries are in, so that its killer knows that it is at work.
@main
struct StoreCrasher {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let bound = Int(arguments[2]), var seed = UInt64(arguments[3])
        else { return }
        alarm(60)  // an end even if its killer was killed
        let store = DiskStore(DiskStore.Configuration(directory: arguments[1], maximumBytes: bound))
        for round in 0... {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let size = Int((seed >> 33) % 200_000)
            let key = "key-\((seed >> 20) % 40)"
            // The body repeats a byte that the metadata tells, so that a reader can check it.
            let byte = UInt8(truncatingIfNeeded: seed >> 40)
            do {
                try await store.insert(
                    .bytes(Data(repeating: byte, count: size)), metadata: Data([byte]), for: key)
                _ = try await store.entry(for: "key-\((seed >> 25) % 40)")
            } catch {
                print("failed: \(error)")
                fflush(nil)
                return
            }
            if round == 5 {
                print("at work")
                fflush(nil)  // a pipe's output is kept back otherwise
            }
        }
    }
}
