import FoundationEssentials
import Glibc
import VitrineBase

/// What the judge asks for.
struct Question: Decodable {
    let id: Int
    let url: String
    let method: String
    let headers: [[String]]
    let body: String?
    let cache: String?
    let redirect: String?
}

/// What it is told.
struct Answer: Encodable {
    let id: Int
    var status: Int?
    var headers: [[String]]?
    var body: String?
    var error: String?
}

/// Writes answers, one a line, each whole.
final class Answers: Sendable {
    private let output = Lock(())

    func write(_ answer: Answer) {
        guard var line = try? JSONEncoder().encode(answer) else { return }
        line.append(UInt8(ascii: "\n"))
        output.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
                guard count > 0 else { return }  // nobody reads any more
                rest = rest.dropFirst(count)
            }
        }
    }
}
