import FoundationEssentials
import Glibc
import VitrineHTTP

/// Fetches one URL many times over `CurlTransport`, a fixed number of exchanges at once, and throws
/// the bodies away: what `curl -Z` to `/dev/null` does.
///
/// Arguments: URL, number of transfers, how many at once, bytes of the body.
@main
enum TransferVitrine {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard let url = arguments.first.flatMap({ URL(string: $0) }), numbers.count == 3 else {
            exit(2)
        }
        let (count, concurrency, expected) = (numbers[0], numbers[1], numbers[2])
        let transport = CurlTransport(
            configuration: CurlTransport.Configuration(maximumConnectionsPerHost: concurrency))
        let request = HTTP.Request(url)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    for _ in stride(from: worker, to: count, by: concurrency) {
                        let response = try await transport.exchange(request)
                        var bytes = 0
                        for try await chunk in response.body { bytes += chunk.count }
                        guard response.status == 200, bytes == expected else { exit(1) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
