import Glibc
import thumbnails

/// Makes thumbnails, some at a time.
///
/// Arguments: folder to write to, how many in all, how many at a time, pictures, which are taken in turns.
@main
enum BatchVitrine {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 3, let count = Int(arguments[1]), let workers = Int(arguments[2])
        else { exit(2) }
        let paths = Array(arguments[3...])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                // Blocks threads of Swift's pool, which has nothing else to do here.
                group.addTask {
                    for index in stride(from: worker, to: count, by: workers) {
                        try Thumbnail.make(
                            of: paths[index % paths.count], into: arguments[0])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
