import Foundation
import FoundationNetworking

/// Fetches one URL many times over Foundation's `URLSession`, a fixed number of tasks at once.
///
/// Arguments: URL, number of transfers, how many at once, bytes of the body.
@main
enum TransferURLSession {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard let url = arguments.first.flatMap({ URL(string: $0) }), numbers.count == 3 else {
            exit(2)
        }
        let (count, concurrency, expected) = (numbers[0], numbers[1], numbers[2])
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: url)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    for _ in stride(from: worker, to: count, by: concurrency) {
                        let (data, response) = try await session.data(for: request)
                        let status = (response as? HTTPURLResponse)?.statusCode
                        guard status == 200, data.count == expected else { exit(1) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
